"""The estimators in a pipeline of Spark."""

from fsieve.spark import UFFS, JuntaClassifier
from pyspark.ml import Pipeline
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("sensors").getOrCreate()
table = (
    spark.range(0, 1200, 1, 2)
    .select(
        (20 + 5 * F.randn(1)).alias("inlet"),
        (20 + 5 * F.randn(2)).alias("outlet"),
        F.when(F.rand(3) < 0.5, "open").otherwise("shut").alias("valve"),
    )
    .withColumn("drop", F.col("inlet") - F.col("outlet"))
    .withColumn("alarm", F.when((F.col("inlet") > 20) & (F.col("valve") == "shut"), 1.0).otherwise(0.0))
    .persist()
)

reducer = UFFS(inputCols=["inlet", "outlet", "drop", "valve"], stages="1")
learner = JuntaClassifier(labelCol="alarm", k=2, binarize=20)  # of what the reducer leaves
model = Pipeline(stages=[reducer, learner]).fit(table)

print("not needed:", model.stages[0].equations)
print("alarm, when", model.stages[1].result["formula"])
print("wrong:", model.transform(table).filter("prediction != alarm").count())

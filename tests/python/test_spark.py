"""The estimators on Spark, with executors that are processes of their own (``local-cluster``)."""

import functools
import inspect
import json
import os
import pathlib
import runpy
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytest.importorskip("pyspark")

from partition_cases import (  # noqa: E402
    PACKAGE_CASES,
    assert_close,
    bits,
    cut,
    die_at_a_piece,
    die_once,
    many_bits,
    mixed,
    parity,
    plain,
    redundant,
)
from places import BUILD, ROOT  # noqa: E402
from pyspark.ml import Pipeline, PipelineModel  # noqa: E402
from pyspark.ml.classification import LogisticRegression  # noqa: E402
from pyspark.ml.evaluation import MulticlassClassificationEvaluator  # noqa: E402
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

import fsieve  # noqa: E402
import fsieve.spark as on_spark  # noqa: E402
from fsieve import _partitions  # noqa: E402

HERE = pathlib.Path(__file__).parent


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    path = os.pathsep.join([str(BUILD / "python"), str(HERE)])
    folder = tmp_path_factory.mktemp("spark")
    (folder / "events").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", path)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_LOCAL_DIRS", str(folder / "local"))
        patch.setenv("SPARK_WORKER_DIR", str(folder / "work"))
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("fsieve")
        for key, value in {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "3",
            "spark.executorEnv.PYTHONPATH": path,
            "spark.driver.memory": "512m",
            "spark.executor.memory": "512m",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": (folder / "events").as_uri(),
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
        }.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture
def by_sums(monkeypatch):
    monkeypatch.setattr(_partitions, "MOST_GATHERED", 0)


def in_spark(spark, frame, cuts=(50, 90, 91, 200)):
    """A DataFrame with these partitions, in their order."""
    pieces = [[tuple(_scalars(row)) for row in piece.itertuples(index=False)] for piece in cut(frame, cuts)]
    rows = spark.sparkContext.parallelize(pieces, len(pieces)).flatMap(lambda piece: piece)
    return spark.createDataFrame(rows, schema_of(frame))


def schema_of(frame):
    """The types of a frame's columns in words of Spark."""
    names = {"f": "double", "i": "long", "O": "string", "M": "timestamp"}
    return ", ".join(f"`{name}` {names.get(kind.kind, 'string')}" for name, kind in frame.dtypes.items())


def _scalars(row):
    for value in row:
        value = value.item() if isinstance(value, np.generic) else value
        yield None if isinstance(value, float) and np.isnan(value) else value


def test_constructors_name_what_they_take():
    for name in ("UFFS", "GFS", "GFA", "SFFS", "JuntaClassifier"):
        taken = inspect.signature(getattr(on_spark, name)).parameters
        own = inspect.signature(getattr(fsieve, name)).parameters
        assert {"inputCols", *own} <= set(taken)
        assert all(taken[parameter].default == own[parameter].default for parameter in own)


def test_sums_of_a_greedy_choice(spark, by_sums):
    frame = mixed()
    table = in_spark(spark, frame, (50, 50))
    model = on_spark.GFS(k=1, equations=False).fit(table)
    one = fsieve.GFS(k=1, equations=False, engine="gram").fit(frame)
    assert_close(one.result_, model.result)
    assert model.transform(table).columns == model.selected


def test_a_column_of_weights(spark, by_sums):
    frame, weights = mixed(), np.random.default_rng(9).integers(0, 5, 240) / 2
    table = in_spark(spark, frame.assign(weight=weights), (50, 50))
    model = on_spark.GFS(k=1, equations=False, weightCol="weight").fit(table)
    one = fsieve.GFS(k=1, equations=False, engine="gram").fit(frame, sample_weight=weights)
    assert_close(one.result_, model.result)
    assert model.transform(table).columns == [*model.selected, "weight"]


def test_a_small_table_gives_the_bytes_of_one_machine(spark, tmp_path):
    frame, label = bits()
    table = in_spark(spark, frame.assign(label=label.astype(float)), (7,))
    y = label.astype(float).rename("label")
    selected = on_spark.SFFS(k=2).fit(table)
    assert plain(selected.result) == plain(fsieve.SFFS(k=2).fit(frame, y).result_)
    assert set(selected.selected) == {"x2", "x5"}
    rule = on_spark.JuntaClassifier(k=2).fit(table)
    assert plain(rule.result) == plain(fsieve.JuntaClassifier(k=2).fit(frame, y).result_)
    rule.write().overwrite().save(str(tmp_path / "rule"))
    loaded = on_spark.JuntaClassifierModel.load(str(tmp_path / "rule"))
    assert loaded.result == rule.result
    assert loaded.transform(table).filter("prediction != label").count() == 0


@pytest.mark.cluster
def test_sums_give_what_one_machine_finds(spark, by_sums):
    frame = mixed()
    table = in_spark(spark, frame, (50, 50))
    model = on_spark.UFFS(inputCols=list(frame.columns)).fit(table)
    one = fsieve.UFFS(engine="gram").fit(frame)
    assert_close(one.result_, model.result)
    assert model.equations == one.equations_
    assert model.selected == [feature["name"] for feature in one.selected_]
    kept = model.transform(table)
    assert kept.columns == [name for name in frame.columns if name in model.selected]
    assert kept.count() == len(frame)


@pytest.mark.cluster
def test_rule_save_load_and_cross_validation(spark, by_sums, tmp_path):
    frame, label = bits()
    table = in_spark(spark, frame.assign(label=label.astype(float)), (7, 120))
    rule = on_spark.JuntaClassifier(k=2).fit(table)
    alone = fsieve.JuntaClassifier(k=2).fit(frame, label.astype(float).rename("label"))
    assert plain(rule.result) == plain(alone.result_)
    assert set(rule.selected) == {"x2", "x5"}
    predicted = [row.prediction for row in rule.transform(table).select("prediction").collect()]
    assert predicted == label.tolist()
    rule.write().overwrite().save(str(tmp_path / "rule"))
    loaded = on_spark.JuntaClassifierModel.load(str(tmp_path / "rule"))
    assert loaded.result == rule.result
    assert loaded.uid == rule.uid
    assert loaded.transform(table).filter("prediction != label").count() == 0
    learner = on_spark.JuntaClassifier(inputCols=list(frame.columns))
    grid = ParamGridBuilder().addGrid(learner.k, [1, 2]).build()
    judge = MulticlassClassificationEvaluator(metricName="accuracy")
    search = CrossValidator(estimator=learner, estimatorParamMaps=grid, evaluator=judge, numFolds=2, seed=1)
    assert search.fit(table).bestModel.getOrDefault("k") == 2


@pytest.mark.cluster
def test_pipeline(spark, tmp_path):
    frame = mixed()
    numbers = frame.drop(columns=["colour", "coin"])
    table = in_spark(spark, numbers.assign(label=(frame.a > 0).astype(float)))
    reducer = on_spark.UFFS(inputCols=list(numbers.columns), outputCol="features")
    model = Pipeline(stages=[reducer, LogisticRegression(maxIter=5)]).fit(table)
    model.write().overwrite().save(str(tmp_path / "pipeline"))
    loaded = PipelineModel.load(str(tmp_path / "pipeline"))
    assert loaded.stages[0].equations == model.stages[0].equations
    assert loaded.transform(table).filter("prediction != label").count() < 20
    reducer.write().overwrite().save(str(tmp_path / "reducer"))
    assert on_spark.UFFS.load(str(tmp_path / "reducer")).getOrDefault("inputCols") == list(numbers.columns)


@pytest.mark.cluster
def test_a_tree_of_many_partitions(spark, by_sums):
    frame, label = bits()
    table = in_spark(spark, frame.assign(label=label), tuple(range(10, 200, 10)))
    rule = on_spark.JuntaClassifier(k=2).fit(table)
    alone = fsieve.JuntaClassifier(k=2).fit(frame, label.rename("label"))
    assert plain(rule.result) == plain(alone.result_)


@pytest.mark.cluster
def test_mistakes(spark):
    frame = mixed()
    frame.loc[100, "a"] = np.nan
    with pytest.raises(ValueError, match='partition 3: column "a", row 10: missing value'):
        on_spark.UFFS().fit(in_spark(spark, frame))
    with pytest.raises(ValueError, match='no column "z"'):
        on_spark.UFFS(inputCols=["a", "z"]).fit(in_spark(spark, mixed()))


def mortal(spark, frame, calls, cuts=(60, 120, 180)):
    """The executor that reads the third partition in the second pass is killed."""
    pieces = list(enumerate(cut(frame, cuts)))

    def rows_of(numbered):
        if numbered[0] == 2:
            die_once(calls, parent=True)
        return [tuple(_scalars(row)) for row in numbered[1].itertuples(index=False)]

    rows = spark.sparkContext.parallelize(pieces, len(pieces)).flatMap(rows_of)
    return spark.createDataFrame(rows, schema_of(frame))


@pytest.mark.cluster
@pytest.mark.parametrize("name", ["UFFS", "GFS", "GFA", "SFFS", "JuntaClassifier"])
def test_an_executor_that_dies_changes_nothing(name, spark, by_sums, tmp_path):
    frame, fit = mixed(), ()
    parameters = {"engine": "gram"}
    if name in ("SFFS", "JuntaClassifier"):
        frame, label = bits(240)
        fit, parameters = (label.rename("label"),), {"k": 2} | ({"sample": 120} if name == "SFFS" else {})
    table = mortal(spark, frame if not fit else frame.assign(label=fit[0]), str(tmp_path / "calls"))
    model = getattr(on_spark, name)(**parameters).fit(table)
    assert (tmp_path / "calls").stat().st_size > 2
    assert_close(getattr(fsieve, name)(**parameters).fit(frame, *fit).result_, model.result)


@pytest.mark.cluster
@pytest.mark.parametrize(("name", "parameters", "labelled"), PACKAGE_CASES, ids=str)
def test_the_cases_of_the_package(name, parameters, labelled, spark):
    frame, label = parity() if labelled else (redundant(), None)
    one = getattr(fsieve, name)(**parameters).fit(frame, *([label] if labelled else []))
    table = in_spark(spark, frame.assign(label=label) if labelled else frame, (7, 7, 130, 399))
    model = getattr(on_spark, name)(**parameters).fit(table)
    assert plain(model.result) == plain(one.result_)
    found = model.transform(table)
    if name == "JuntaClassifier":
        predicted = found.select("prediction", "rawPrediction").toPandas()
        assert (predicted.prediction == one.predict(frame)).all()
        assert (predicted.rawPrediction == one.decision_function(frame)).all()
    else:
        kept = found.toPandas().drop(columns="label", errors="ignore")
        pd.testing.assert_frame_equal(kept, frame[list(one.get_feature_names_out())])


@pytest.mark.cluster
def test_an_executor_that_dies_costs_its_ranges(spark, tmp_path, monkeypatch):
    frame, label = many_bits(columns=200)
    values = frame.assign(label=label.astype(float)).to_numpy(float)
    folder = str(tmp_path / "table")
    pq.write_table(pa.table(dict(zip([*frame.columns, "label"], values.T.copy()))), folder)
    table = spark.read.parquet(folder)
    calls = str(tmp_path / "calls")
    monkeypatch.setattr(_partitions, "_work", functools.partial(die_at_a_piece, calls, True))
    model = on_spark.JuntaClassifier(k=3).fit(table)
    [pieces] = [entry["pieces"] for entry in model.wire if entry["question"] == "subsets"]
    assert os.path.getsize(calls) > pieces
    alone = fsieve.JuntaClassifier(k=3).fit(frame.astype(float), label.astype(float))
    assert plain(model.result) == plain(alone.result_)


def counted(spark):
    """What Spark has counted so far: tasks, bytes of their results, bytes that they shuffled."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    [log] = pathlib.Path(spark.conf.get("spark.eventLog.dir").removeprefix("file:")).iterdir()
    counts = np.zeros(3)
    for line in log.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerTaskEnd":
            metrics = event["Task Metrics"]
            shuffled = metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            counts += [1, metrics["Result Size"], shuffled]
    return counts


@pytest.mark.cluster
@pytest.mark.parametrize("parts", [4, 16])
def test_the_engine_counts_what_the_formulas_say(parts, spark, by_sums):
    """Up to eight answers come to the driver; of more partitions their answers go up a tree before."""
    values = np.random.default_rng(0).normal(size=(400, 60))
    frame = pd.DataFrame(values, columns=[f"v{j}" for j in range(60)])
    table = in_spark(spark, frame, tuple(range(400 // parts, 400, 400 // parts)))
    before = counted(spark)
    model = on_spark.UFFS(stages="1", order="input", equations=False).fit(table)
    tasks, results, shuffled = counted(spark) - before
    answers = sum(entry["answer"] for entry in model.wire)
    sums = sum(entry["answer"] for entry in model.wire if entry["question"] in ("moments", "parity gram"))
    of_a_task = 4096  # what Spark says of a task beside its result
    at_the_driver = parts if parts <= _partitions.FAN else -(-parts // _partitions.FAN)
    assert 0.5 * at_the_driver * sums < results <= 1.1 * at_the_driver * answers + of_a_task * tasks
    if parts <= _partitions.FAN:
        assert shuffled == 0
    else:
        assert 0.5 * parts * sums < shuffled <= 8 / 7 * parts * answers + of_a_task * tasks


@pytest.mark.cluster
def test_bins_and_weights_of_classes_are_made_where_the_rows_are(spark):
    frame = mixed(600)
    label = (2 * frame.a + frame["product"] > 1).astype(float).rename("label")
    table = in_spark(spark, frame.assign(label=label), (100, 330))
    parameters = {"k": 2, "sample": 150, "folds": 0, "bins": 4, "class_weight": "balanced"}
    model = on_spark.SFFS(**parameters).fit(table)
    assert_close(fsieve.SFFS(**parameters).fit(frame, label).result_, model.result)
    rows = [entry["answer"] for entry in model.wire if entry["question"] == "rows"]
    assert max(rows) < 8 * 600 * (len(frame.columns) + 1)


@pytest.mark.cluster
def test_the_example(spark, capsys):
    runpy.run_path(str(ROOT / "examples" / "spark" / "sensors.py"))
    assert "wrong: 0" in capsys.readouterr().out


@pytest.mark.cluster
def test_levels_and_missing_values(spark, by_sums):
    frame = mixed().sort_values("colour", kind="stable").reset_index(drop=True)
    frame.loc[[3, 50, 239], "a"] = np.nan
    frame["colour"] = frame.colour.where(frame.index != 7)
    table = in_spark(spark, frame, (0, 10, 150))
    for missing in ("drop", "mean"):
        one = fsieve.UFFS(engine="gram", missing=missing).fit(frame)
        many = on_spark.UFFS(missing=missing).fit(table)
        assert_close(one.result_, many.result)

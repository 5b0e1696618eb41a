"""The estimators as Estimators and Models of ``pyspark.ml``: ``pip install fsieve[spark]``.

Rows stay on their executors, which compute sums over them; the sums are merged there, and the driver
decides. Parameters have the names and defaults of the package's own estimators; beside them
``inputCols``, ``labelCol``, ``weightCol`` and the names of the columns that a model adds.

    from fsieve.spark import UFFS
    model = UFFS(inputCols=["height", "weight", "bmi"], epsilon=0.05).fit(table)
    model.selected, model.equations
    model.transform(table)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark import TaskContext
from pyspark.ml import Estimator, Model
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.param import Param, Params
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import (
    BooleanType,
    DateType,
    DoubleType,
    NumericType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

import fsieve

from . import _partitions
from ._result import Result

__all__ = [
    "GFA",
    "GFS",
    "SFFS",
    "UFFS",
    "GFAModel",
    "GFSModel",
    "JuntaClassifier",
    "JuntaClassifierModel",
    "SFFSModel",
    "UFFSModel",
]

_READABLE = (NumericType, StringType, BooleanType, DateType, TimestampType)
_LABEL = "the column to predict"


class _SparkPartitions(_partitions.Partitions):
    """The partitions of a DataFrame: the features, then the label and the weights, where there are any."""

    def __init__(self, table: DataFrame, names: list[str], label: str | None, weights: str | None) -> None:
        self.names = names
        self.declared = []
        self.label = label
        self.weighted = weights is not None
        self._columns = [*names, *filter(None, [label, weights])]
        self._table = _by_places(table, self._columns)
        self._schema = to_arrow_schema(self._table.schema)
        self._context = table.sparkSession.sparkContext
        self._count = self._table.rdd.getNumPartitions()

    def ask(self, question: _partitions.Question) -> bytes:
        shared, schema, columns = self._context.broadcast(question), self._schema, self._columns
        read = columns[:-1] if self.weighted else columns

        def answer(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            rows = pa.Table.from_batches(list(batches), schema).rename_columns(columns)
            part = TaskContext.get().partitionId()
            weights = rows.column(len(read)).to_numpy() if len(read) < len(columns) else None
            said = shared.value.answer(part, rows.select(list(range(len(read)))), weights=weights)
            yield pa.RecordBatch.from_pydict({"part": [part], "said": [said]}, schema=_ANSWERS)

        answers = self._table.mapInArrow(answer, "part long, said binary")
        count = self._count
        if count > _partitions.FAN:
            answers = answers.rdd.map(tuple)
        while count > _partitions.FAN:
            count = -(-count // _partitions.FAN)
            answers = answers.map(_to_its_group).groupByKey(count).map(_merger(shared))
        _, said = _merger(shared)((0, answers.collect()))  # the last few
        shared.unpersist()
        return said

    def share_out(self, work: Callable[[bytes, bytes], bytes], common: bytes, pieces: list[bytes]) -> list[bytes]:
        shared = self._context.broadcast(common)
        tasks = self._context.parallelize(pieces, len(pieces))
        said = tasks.map(lambda piece: work(shared.value, piece)).collect()
        shared.unpersist()
        return said


def _by_places(table: DataFrame, names: list[str]) -> DataFrame:
    """These columns under names that Spark does not stumble over."""
    return table.select(*(F.col(f"`{name}`").alias(f"c{place}") for place, name in enumerate(names)))


_ANSWERS = pa.schema([("part", pa.int64()), ("said", pa.binary())])


def _to_its_group(numbered: tuple[int, bytes]) -> tuple[int, tuple[int, bytes]]:
    return numbered[0] // _partitions.FAN, numbered


def _merger(question: Any) -> Callable[[Any], tuple[int, bytes]]:
    """Merges the answers of a group, in the order of their partitions."""

    def merge(group: tuple[int, Any]) -> tuple[int, bytes]:
        answers = [bytes(said) for _, said in sorted(group[1], key=lambda numbered: numbered[0])]
        return group[0], question.value.merge(answers)

    return merge


class _OnSpark(_partitions.OnPartitions):
    """An estimator of the package whose X is already in partitions."""

    def _partitions(self, X: Any, y: Any, sample_weight: Any) -> _SparkPartitions:
        return X

    def _label_values(self, y: np.ndarray) -> np.ndarray:
        return y


class _FsieveParams(Params):
    """inputCols, and the parameters of an estimator of the package."""

    _plain: type  # the estimator of the package

    inputCols: Param = Param(Params._dummy(), "inputCols", "the columns to choose from; none: all that can be read")

    def __init__(self, **parameters: Any) -> None:
        super().__init__()
        defaults = {name: value for name, value in _defaults(self._plain).items() if value is not None}
        self._setDefault(**{name: value for name, value in defaults.items() if self.hasParam(name)})
        self._set(**parameters)

    def setParams(self, **parameters: Any) -> Any:
        """Sets parameters by their names."""
        return self._set(**parameters)

    def _plain_parameters(self) -> dict[str, Any]:
        names = _defaults(self._plain)
        values = {param.name: value for param, value in self.extractParamMap().items()}
        return {name: values[name] for name in names if name in values}

    def _value(self, name: str) -> Any:
        return self.getOrDefault(name) if self.hasParam(name) and self.isDefined(name) else None


def _defaults(plain: type) -> dict[str, Any]:
    signature = inspect.signature(plain.__init__).parameters.values()
    return {parameter.name: parameter.default for parameter in signature if parameter.name != "self"}


def _signature(cls: type) -> inspect.Signature:
    """What the constructor takes, for help and completion: its Params by their names."""
    defaults = _defaults(cls._plain)
    names = [name for name in dir(cls) if isinstance(getattr(cls, name), Param)]
    named = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature([inspect.Parameter(name, named, default=defaults.get(name)) for name in names])


def _with_params(plain: type) -> Callable[[type], type]:
    """Gives a class a Param for every parameter of an estimator of the package, unless it has that name."""

    def add(cls: type) -> type:
        cls._plain = plain
        for name in _defaults(plain).keys() - set(dir(cls)):
            about = f"as {name} of fsieve.{plain.__name__}"
            setattr(cls, name, Param(Params._dummy(), name, about))
        if issubclass(cls, Estimator):
            cls.__signature__ = _signature(cls)
        return cls

    return add


class _FsieveEstimator(Estimator, _FsieveParams, DefaultParamsWritable, DefaultParamsReadable):
    """Fits the estimator of the package on the partitions of a DataFrame."""

    _model: type

    def _columns(self, dataset: DataFrame, label: str | None, weights: str | None) -> list[str]:
        names = self._value("inputCols")
        types = {field.name: field.dataType for field in dataset.schema.fields}
        if names is None:
            readable = [name for name, kind in types.items() if isinstance(kind, _READABLE)]
            names = [name for name in readable if name not in (label, weights)]
        for name in [*names, *filter(None, [label, weights])]:
            if name not in types:
                raise ValueError(f'the table has no column "{name}"')
            if not isinstance(types[name], _READABLE):
                raise ValueError(
                    f'column "{name}" has type {types[name].simpleString()}, which is neither number nor text: '
                    "name the columns themselves in inputCols"
                )
        return list(names)

    def _fit(self, dataset: DataFrame) -> Any:
        label, weights = self._value("labelCol"), self._value("weightCol")
        names = self._columns(dataset, label, weights)
        plain = type(self._plain.__name__, (_OnSpark, self._plain), {})(**self._plain_parameters())
        partitions = _SparkPartitions(dataset, names, label, weights)
        if label is None:
            plain.fit(partitions)
        else:
            plain.fit(partitions, self._distinct(dataset, label))
        model = self._model(plain.result_, names)
        model.wire = plain.wire_
        return self._copyValues(model)

    def _distinct(self, dataset: DataFrame, label: str) -> np.ndarray | None:
        return np.empty(0)


class _FsieveModel(Model, _FsieveParams, MLWritable, MLReadable):
    """What was found: ``result``, ``selected`` and ``equations``."""

    def __init__(self, result: Result | None = None, columns: list[str] | None = None) -> None:
        super().__init__()
        self._result = Result() if result is None else result
        self._columns = columns or []
        self.wire: list[dict[str, Any]] = []  # of the fit: every question, and the bytes of its answer

    @property
    def result(self) -> Result:
        """All of it: the JSON object of the command line."""
        return self._result

    @property
    def columns(self) -> list[str]:
        """The columns that were chosen from."""
        return self._columns

    def write(self) -> MLWriter:
        """A writer for ``save``."""
        return _ModelWriter(self)

    @classmethod
    def read(cls) -> MLReader:
        """A reader for ``load``."""
        return _ModelReader(cls)


class _ModelWriter(MLWriter):
    def __init__(self, model: _FsieveModel) -> None:
        super().__init__()
        self._saved = model

    def saveImpl(self, path: str) -> None:
        found = {"result": dict(self._saved.result), "columns": self._saved.columns}
        DefaultParamsWriter.saveMetadata(self._saved, path, self.sparkSession, extraMetadata=found)


class _ModelReader(MLReader):
    def __init__(self, cls: type) -> None:
        super().__init__()
        self._cls = cls

    def load(self, path: str) -> Any:
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        model = self._cls(Result(metadata["result"]), metadata["columns"])
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        return model


class _SelectorParams(_FsieveParams):
    outputCol: Param = Param(
        Params._dummy(), "outputCol", "a vector of the selected columns; none: the others are dropped"
    )
    weightCol: Param = Param(Params._dummy(), "weightCol", "how many rows each row stands for; none: one")


class _LabelParams(_FsieveParams):
    labelCol: Param = Param(Params._dummy(), "labelCol", _LABEL)

    def __init__(self, **parameters: Any) -> None:
        super().__init__()
        self._setDefault(labelCol="label")
        self._set(**parameters)


class _SelectorModel(_FsieveModel, _SelectorParams):
    """Keeps the selected columns."""

    @property
    def selected(self) -> list[str]:
        """Names of the selected columns, best first where they are ranked."""
        indices = dict.fromkeys(feature["index"] for feature in self.result["selected"])
        return [self.columns[index] for index in indices]

    @property
    def equations(self) -> dict[str, list[str]]:
        """Equations of removed columns, by name."""
        reduced = self.result if "removed" in self.result else self.result.get("reduced") or {}
        return fsieve._base.equations_of(reduced.get("removed", []))

    def _transform(self, dataset: DataFrame) -> DataFrame:
        selected = [name for name in self.columns if name in self.selected]
        if output := self._value("outputCol"):
            return VectorAssembler(inputCols=selected, outputCol=output).transform(dataset)
        removed = set(self.columns) - set(selected)
        return dataset.select(*(F.col(f"`{name}`") for name in dataset.columns if name not in removed))


class _Selector(_FsieveEstimator, _SelectorParams):
    pass


@_with_params(fsieve.UFFS)
class UFFSModel(_SelectorModel):
    """What :class:`UFFS` found."""


@_with_params(fsieve.UFFS)
class UFFS(_Selector):
    """:class:`fsieve.UFFS` on a DataFrame."""

    _model = UFFSModel


@_with_params(fsieve.GFS)
class GFSModel(_SelectorModel):
    """What :class:`GFS` found."""


@_with_params(fsieve.GFS)
class GFS(_Selector):
    """:class:`fsieve.GFS` on a DataFrame."""

    _model = GFSModel


@_with_params(fsieve.GFA)
class GFAModel(_SelectorModel):
    """What :class:`GFA` found."""


@_with_params(fsieve.GFA)
class GFA(_Selector):
    """:class:`fsieve.GFA` on a DataFrame."""

    _model = GFAModel


@_with_params(fsieve.SFFS)
class SFFSModel(_SelectorModel, _LabelParams):
    """What :class:`SFFS` found."""

    def __init__(self, result: Result | None = None, columns: list[str] | None = None) -> None:
        super().__init__(result, columns)
        self._setDefault(labelCol="label")


@_with_params(fsieve.SFFS)
class SFFS(_Selector, _LabelParams):
    """:class:`fsieve.SFFS` on a DataFrame with a label."""

    _model = SFFSModel


class _PredictionParams(_LabelParams):
    predictionCol: Param = Param(Params._dummy(), "predictionCol", "the predicted class")
    rawPredictionCol: Param = Param(
        Params._dummy(), "rawPredictionCol", "the score: above 0 where the second class is predicted"
    )

    def _set_columns(self) -> None:
        self._setDefault(labelCol="label", predictionCol="prediction", rawPredictionCol="rawPrediction")


@_with_params(fsieve.JuntaClassifier)
class JuntaClassifierModel(_FsieveModel, _PredictionParams):
    """The rule that :class:`JuntaClassifier` found."""

    def __init__(self, result: Result | None = None, columns: list[str] | None = None) -> None:
        super().__init__(result, columns)
        self._set_columns()

    @property
    def selected(self) -> list[str]:
        """The columns that the rule looks at."""
        return [self.columns[index] for index in dict.fromkeys(f["index"] for f in self.result["features"])]

    @property
    def equations(self) -> dict[str, list[str]]:
        """The rule, by the name of the label."""
        formula = self.result.get("formula")
        return {self.result["label"]["name"]: [formula]} if formula else {}

    def _transform(self, dataset: DataFrame) -> DataFrame:
        rule, columns = self._rule(), self.columns
        prediction, score = self._value("predictionCol"), self._value("rawPredictionCol")
        kind = StringType() if rule.classes_.dtype.kind == "O" else DoubleType()
        added = [StructField(prediction, kind), StructField(score, DoubleType())]
        schema, names = StructType([*dataset.schema.fields, *added]), dataset.columns

        def predicted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                rows = pa.Table.from_batches([batch]).rename_columns(names)
                scores = rule.decision_function(rows.select(columns)) if len(rows) else np.empty(0)
                classes = pa.array(rule.classes_[(scores > 0).astype(int)])
                rows = rows.append_column(prediction, classes).append_column(score, pa.array(scores))
                yield from rows.to_batches()

        return _by_places(dataset, names).mapInArrow(predicted, schema)

    def _rule(self) -> fsieve.JuntaClassifier:
        """The estimator of the package, fitted."""
        rule = fsieve.JuntaClassifier(**self._plain_parameters())
        rule.result_, rule.n_features_in_ = self.result, len(self.columns)
        rule.feature_names_in_ = np.asarray(self.columns, dtype=object)
        classes = self.result["label"]["classes"]
        try:
            rule.classes_ = np.asarray([float(name) for name in classes])
        except ValueError:
            rule.classes_ = np.asarray(classes, dtype=object)
        return rule


@_with_params(fsieve.JuntaClassifier)
class JuntaClassifier(_FsieveEstimator, _PredictionParams):
    """:class:`fsieve.JuntaClassifier` on a DataFrame with a label."""

    _model = JuntaClassifierModel

    def __init__(self, **parameters: Any) -> None:
        super().__init__()
        self._set_columns()
        self._set(**parameters)

    def _distinct(self, dataset: DataFrame, label: str) -> np.ndarray:
        rows = dataset.select(F.col(f"`{label}`")).distinct().limit(3).collect()
        return np.asarray([row[0] for row in rows if row[0] is not None])

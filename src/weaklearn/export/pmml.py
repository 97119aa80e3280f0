"""Export of sums of trees to PMML 4.4, for the engines that score it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

from ..base.messages.value_text import show
from ..base.trees.tree_arrays import EVERY_CHILD
from ..intake.raw_column import Kind
from .branches import ABOVE, AMONG, MISSING, NO_CATEGORY, UP_TO, Branching, Test, choices
from .link import EACH, EXP, HELD, IDENTITY, MEANS, POWERS, SHARE, SIGMOID, SOFTMAX
from .model_ir import InputColumn, ModelIR, number

_SPACE = "http://www.dmg.org/PMML-4_4"
_VERSION = "4.4"
_EXACT = 2**53  # integers up to here are exact as doubles
_ARRAYS = {"integer": "int", "double": "real"}
_PER_SECOND = {"ns": 10**9, "us": 10**6, "ms": 10**3}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINKS = (IDENTITY, EXP, SIGMOID, SHARE, SOFTMAX, EACH, MEANS, POWERS)


def pmml_source(model: ModelIR, target: str) -> str:
    """The model as a PMML document, in which the field ``target`` is predicted."""
    return _Writer(model, target).source()


class _Writer:
    """Writes the document of one model, whose stumps and terms are trees."""

    def __init__(self, model: ModelIR, target: str) -> None:
        self.model, self.target = model, target
        self.fields = {source.feature: source for source in model.sources}
        if len(model.classes) == 1:
            raise ValueError(
                "this model knows one class alone, of which PMML has no models; answer "
                f"{show(model.classes[0])} wherever it is asked."
            )
        if model.shares or model.link.form not in _LINKS:
            raise ValueError(
                "the scores of this model become answers in a way that PMML has no words for; use "
                "to_python()."
            )
        if model.link.form == SIGMOID and model.link.shift != 0:
            raise ValueError(
                "with calibrate='platt' the label is not always the class of the larger "
                "probability, which PMML answers; fit with calibrate='slope'."
            )
        taken = {target, *(f"score_{k}" for k in range(model.n_outputs))}
        for source in model.sources:
            if source.name in taken:
                raise ValueError(
                    f"column {show(source.name)} has the name of an answer; rename it and fit "
                    "again, or pass target= another name."
                )
        categories = (c for source in model.sources for c in source.codes)
        for text in (target, *(s.name for s in model.sources), *categories, *model.classes):
            if isinstance(text, str) and _NOT_XML.search(text):
                raise ValueError(
                    f"{show(text)} holds a character that XML has no way to write; rename it and "
                    "fit again."
                )
        self.per = {source.feature: self._units(source) for source in model.sources}
        every = (test for tree in model.branches for test in tree.tests())
        if any(test.missing == EVERY_CHILD for test in every):
            raise ValueError(
                "this model divides missing values among all branches, which PMML has no words "
                "for; fit with another missing=, or use to_python()."
            )

    def _units(self, source: InputColumn) -> int:
        """How many units of a column of times one of the document holds: seconds, if they do."""
        second, marks = _PER_SECOND.get(source.schema.unit, 1), source.schema.marks
        if marks is not None and not (marks % second).any():
            return second
        if source.ranked and any(abs(cut) > _EXACT for cut in self.model.cuts(source, "PMML")):
            raise ValueError(
                f"column {show(source.name)} is cut at whole numbers beyond 2**53, which PMML "
                "engines may round; fit with times in whole seconds, or use to_python()."
            )
        return 1

    def source(self) -> str:
        root = ET.Element("PMML", xmlns=_SPACE, version=_VERSION)
        title, *columns = self.model.words()
        header = ET.SubElement(root, "Header", description=title)
        ET.SubElement(header, "Application", name="weaklearn")
        for source, line in zip(self.model.sources, columns, strict=True):
            if self.per[source.feature] > 1:
                line = line.replace(f"whole {source.units}", "whole seconds")
            ET.SubElement(header, "Annotation").text = line
        for line in self.model.notes:
            ET.SubElement(header, "Annotation").text = line
        root.append(self._dictionary())
        root.append(self._classifier() if self.model.classes else self._regressor())
        ET.indent(root, " ")
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"

    # -------------------------------------------------------------------------------------- fields

    def _dictionary(self) -> ET.Element:
        fields = ET.Element("DataDictionary")
        for source in self.model.sources:
            self._data_field(fields, source)
        classes = self.model.classes
        kind = _data_type(classes) if classes else "double"
        target = ET.SubElement(
            fields,
            "DataField",
            name=self.target,
            optype="categorical" if classes else "continuous",
            dataType=kind,
        )
        for label in classes:
            ET.SubElement(target, "Value", value=_text(label))
        return fields

    def _data_field(self, fields: ET.Element, source: InputColumn) -> None:
        if source.schema.kind is not Kind.CATEGORY:
            ET.SubElement(
                fields, "DataField", name=source.name, optype="continuous", dataType="double"
            )
            return
        field = ET.SubElement(
            fields,
            "DataField",
            name=source.name,
            optype="categorical",
            dataType=_data_type(source.codes),
        )
        if not source.joins_pool:  # then all others count as missing
            for category in source.codes:
                ET.SubElement(field, "Value", value=_text(category))

    def _schema(self, *inputs: str) -> ET.Element:
        """The target, and the fields that a model reads: those named, or all columns."""
        schema = ET.Element("MiningSchema")
        ET.SubElement(schema, "MiningField", name=self.target, usageType="target")
        for name in inputs:
            ET.SubElement(schema, "MiningField", name=name)
        if not inputs:
            schema.extend(_mining_field(source) for source in self.model.sources)
        return schema

    # -------------------------------------------------------------------------------------- models

    def _regressor(self) -> ET.Element:
        if self.model.link.form == IDENTITY:
            return self._sum(0, last=True)
        table = ET.Element("RegressionTable", intercept="0.0")
        self._coefficient(table, "held", 1.0)
        final = _model("RegressionModel", "regression", normalizationMethod="exp")
        least = self._applied("min", self._ref("score_0"), _constant(HELD))
        final.extend([self._schema("score_0"), self._derived({"held": least}), table])
        return self._chain("regression", final)

    def _classifier(self) -> ET.Element:
        """The scores one after another, and what makes probabilities of them."""
        model, link = self.model, self.model.link
        names, derived = self._scores(), dict[str, ET.Element]()
        normalised = {SIGMOID: "logit", SOFTMAX: "softmax", SHARE: "none"}
        final = _model(
            "RegressionModel",
            "classification",
            normalizationMethod=normalised.get(link.form, "simplemax"),
        )
        apply = self._applied
        if link.form == SHARE:
            half = apply("+", self._ref("score_0"), _constant(1.0))
            inside = apply("min", _constant(1.0), apply("*", half, _constant(0.5)))
            derived["share"] = apply("max", _constant(0.0), inside)
        for name in names if link.form in (EACH, POWERS) else ():
            if link.form == EACH:
                power = apply("exp", apply("*", _constant(-link.scale), self._ref(name)))
                derived[f"p_{name}"] = apply("/", _constant(1.0), apply("+", _constant(1.0), power))
            else:
                kept = apply("*", _constant(1 - link.shift), self._ref(name))
                soft = apply("+", kept, _constant(link.shift / len(names)))
                derived[f"p_{name}"] = apply("pow", soft, _constant(link.scale))
        final.append(self._schema(*names))
        final.append(self._output())
        if derived:
            final.append(self._derived(derived))
        used = list(derived) or names
        scale = link.scale if link.form in (SIGMOID, SOFTMAX) else 1.0
        if len(used) == 1:
            used = [used[0], ""]  # the second class has the score, and the first the rest
            order = [model.classes[1], model.classes[0]]
        else:
            order = list(model.classes)
        for label, name in zip(order, used, strict=True):
            named = {"intercept": "0.0", "targetCategory": _text(label)}
            table = ET.SubElement(final, "RegressionTable", named)
            if name:
                self._coefficient(table, name, scale)
        return self._chain("classification", final)

    def _scores(self) -> list[str]:
        return [f"score_{k}" for k in range(self.model.n_outputs)]

    def _chain(self, function: str, final: ET.Element) -> ET.Element:
        chain = _model("MiningModel", function)
        chain.append(self._schema())
        parts = ET.SubElement(chain, "Segmentation", multipleModelMethod="modelChain")
        for k in range(self.model.n_outputs):
            parts.append(_segment(f"score_{k}", self._sum(k, last=False)))
        parts.append(_segment("answer", final))
        return chain

    def _output(self) -> ET.Element:
        output = ET.Element("Output")
        for label in self.model.classes:
            ET.SubElement(
                output,
                "OutputField",
                name=f"probability({_text(label)})",
                optype="continuous",
                dataType="double",
                feature="probability",
                value=_text(label),
            )
        return output

    def _sum(self, k: int, last: bool) -> ET.Element:
        """The k-th score as a sum of trees; ``last``: it is the answer itself."""
        summed = _model("MiningModel", "regression")
        schema = self._schema()
        if not last:
            schema.remove(schema[0])  # the target is another's
        summed.append(schema)
        if not last:
            output = ET.SubElement(summed, "Output")
            ET.SubElement(
                output,
                "OutputField",
                name=f"score_{k}",
                optype="continuous",
                dataType="double",
                feature="predictedValue",
                isFinalResult="false",
            )
        targets = ET.SubElement(summed, "Targets")
        constant = self.model.intercept[k] / self.model.divisor
        target = ET.SubElement(targets, "Target", rescaleConstant=number(float(constant)))
        if last:
            target.set("field", self.target)
        if self.model.divisor > 1:
            target.set("rescaleFactor", number(1 / self.model.divisor))
        parts = ET.SubElement(summed, "Segmentation", multipleModelMethod="sum")
        for place, tree in enumerate(self.model.branches):
            if tree.output <= k < tree.output + _width(tree):
                parts.append(_segment(str(place), self._tree(tree, k - tree.output)))
        if len(parts) == 0:
            parts.append(_segment("0", self._tree(Branching(0.0, k, ((0.0,),), (0,)), 0)))
        return summed

    # --------------------------------------------------------------------------------------- trees

    def _tree(self, tree: Branching, place: int) -> ET.Element:
        """A tree of numbers, one of those that each leaf holds."""
        model = _model("TreeModel", "regression", missingValueStrategy="none")
        used = {test.feature for test in tree.tests()}
        schema = ET.SubElement(model, "MiningSchema")
        schema.extend(_mining_field(s) for s in self.model.sources if s.feature in used)
        root = ET.SubElement(model, "Node")
        ET.SubElement(root, "True")
        waiting = [(0, root)]
        while waiting:
            at, node = waiting.pop()
            content = tree.nodes[at]
            if not isinstance(content, Test):
                node.set("score", number(tree.vote * content[place]))
                continue
            source = self.fields[content.feature]
            for asked, what, child in choices(content, source.schema.kind is Kind.CATEGORY):
                below = ET.SubElement(node, "Node")
                below.append(self._predicate(source, asked, what))
                waiting.append((child, below))
        return model

    def _predicate(self, source: InputColumn, asked: str, what: Any) -> ET.Element:
        """A condition on a column; the last child of a node takes all that is left."""
        if asked == MISSING:
            return _simple(source, "isMissing")
        if asked in (ABOVE, UP_TO):
            operator = "greaterThan" if asked == ABOVE else "lessOrEqual"
            cut = what // self.per[source.feature] if source.ranked else what
            return _simple(source, operator, number(cut))
        if asked == AMONG:
            return self._among(source, what)
        return ET.Element("True")

    def _among(self, source: InputColumn, codes: tuple[int, ...]) -> ET.Element:
        named = [category for category, code in source.codes.items() if code in codes]
        either: list[ET.Element] = []
        if NO_CATEGORY in codes:
            either.append(_simple(source, "isMissing"))
        if named:
            either.append(_one_of(source, "isIn", named))
        if source.joins_pool and len(source.schema.categories) in codes:  # and all unknown ones
            other = ET.Element("CompoundPredicate", booleanOperator="and")
            other.append(_simple(source, "isNotMissing"))
            other.append(_one_of(source, "isNotIn", list(source.codes)))
            either.append(other)
        if len(either) == 1:
            return either[0]
        found = ET.Element("CompoundPredicate", booleanOperator="or")
        found.extend(either)
        return found

    # --------------------------------------------------------------------------------- expressions

    def _derived(self, expressions: dict[str, ET.Element]) -> ET.Element:
        fields = ET.Element("LocalTransformations")
        for name, expression in expressions.items():
            field = ET.SubElement(
                fields, "DerivedField", name=name, optype="continuous", dataType="double"
            )
            field.append(expression)
        return fields

    def _ref(self, name: str) -> ET.Element:
        return ET.Element("FieldRef", field=name)

    def _applied(self, function: str, *arguments: ET.Element) -> ET.Element:
        applied = ET.Element("Apply", function=function)
        applied.extend(arguments)
        return applied

    def _coefficient(self, table: ET.Element, name: str, factor: float) -> None:
        ET.SubElement(table, "NumericPredictor", name=name, coefficient=number(float(factor)))


def _model(kind: str, function: str, **settings: str) -> ET.Element:
    return ET.Element(kind, {"functionName": function, **settings})


def _segment(name: str, model: ET.Element) -> ET.Element:
    segment = ET.Element("Segment", id=name)
    ET.SubElement(segment, "True")
    segment.append(model)
    return segment


def _mining_field(source: InputColumn) -> ET.Element:
    treatment = "asIs" if source.joins_pool else "asMissing"  # of categories that are not listed
    return ET.Element("MiningField", name=source.name, invalidValueTreatment=treatment)


def _width(tree: Branching) -> int:
    return next(len(node) for node in tree.nodes if not isinstance(node, Test))


def _simple(source: InputColumn, operator: str, value: str | None = None) -> ET.Element:
    found = ET.Element("SimplePredicate", field=source.name, operator=operator)
    if value is not None:
        found.set("value", value)
    return found


def _one_of(source: InputColumn, operator: str, categories: list[Any]) -> ET.Element:
    """A condition on a column and a list of categories: "isIn" or "isNotIn"."""
    texts, kind = [_text(each) for each in categories], _data_type(categories)
    # Engines differ on escapes, and in a text XML reads a carriage return as a new line.
    if any(mark in text for text in texts for mark in ('"', "\\", "\r")):
        inside = operator == "isIn"
        either = ET.Element("CompoundPredicate", booleanOperator="or" if inside else "and")
        either.extend(_simple(source, "equal" if inside else "notEqual", text) for text in texts)
        return either[0] if len(texts) == 1 else either
    found = ET.Element("SimpleSetPredicate", field=source.name, booleanOperator=operator)
    plain = kind in _ARRAYS
    listed = ET.SubElement(found, "Array", n=str(len(texts)), type=_ARRAYS.get(kind, "string"))
    listed.text = " ".join(text if plain else f'"{text}"' for text in texts)
    return found


def _constant(value: float) -> ET.Element:
    found = ET.Element("Constant", dataType="double")
    found.text = number(float(value))
    return found


def _text(value: Any) -> str:
    """A class or a category as PMML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return number(value) if isinstance(value, (int, float)) else str(value)


def _data_type(values: Iterable[Any]) -> str:
    """What classes or categories are: texts, unless all are numbers or truth values."""
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "integer"
    return "double" if kinds <= {int, float} and kinds else "string"

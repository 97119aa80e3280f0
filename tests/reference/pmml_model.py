"""A plain evaluator of the PMML that the library writes, after the text of the standard."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from typing import Any

Row = dict[str, Any]
NAME = "{http://www.dmg.org/PMML-4_4}"


def text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


class PmmlModel:
    def __init__(self, text: str) -> None:
        for part in (root := ET.fromstring(text)).iter():
            part.tag = part.tag.removeprefix(NAME)
        self.fields = root.findall("DataDictionary/DataField")
        self.listed = {
            field.get("name"): {value.get("value") for value in field.findall("Value")}
            for field in self.fields
        }
        self.root = next(part for part in root if part.tag.endswith("Model"))
        self.target = self.root.find("MiningSchema/MiningField[@usageType='target']")

    def __call__(self, row: Row) -> tuple[Any, dict[str, float]]:
        """The prediction (of a class its text) and the probabilities by class."""
        values: Row = {}
        for field in self.root.findall("MiningSchema/MiningField"):
            name = str(field.get("name"))
            value = row.get(name)
            if isinstance(value, float) and math.isnan(value):
                value = None
            listed = self.listed[name]
            if value is not None and listed and text_of(value) not in listed:
                assert field.get("invalidValueTreatment") == "asMissing"
                value = None
            values[name] = value
        return self.model(self.root, values)

    def model(self, model: ET.Element, row: Row) -> tuple[Any, dict[str, float]]:
        if model.tag == "TreeModel":
            return self.tree(model, row), {}
        if model.tag == "RegressionModel":
            return self.regression(model, row)
        parts = model.find("Segmentation")
        assert parts is not None
        if parts.get("multipleModelMethod") == "sum":
            found = sum(self.model(segment[1], row)[0] for segment in parts)
            target = model.find("Targets/Target")
            assert target is not None
            factor = float(target.get("rescaleFactor", "1"))
            return found * factor + float(target.get("rescaleConstant", "0")), {}
        assert parts.get("multipleModelMethod") == "modelChain"
        for segment in parts:
            answer = self.model(segment[1], row)
            for output in segment[1].findall("Output/OutputField[@feature='predictedValue']"):
                row = row | {str(output.get("name")): answer[0]}
        return answer

    def tree(self, model: ET.Element, row: Row) -> float:
        node = model.find("Node")
        assert node is not None
        while (below := node.findall("Node")) and node.get("score") is None:
            node = next(child for child in below if self.holds(child[0], row) is True)
        return float(str(node.get("score")))

    def holds(self, predicate: ET.Element, row: Row) -> bool:
        """With missingValueStrategy "none": what is missing fulfils nothing but isMissing."""
        if predicate.tag == "True":
            return True
        if predicate.tag == "CompoundPredicate":
            each = [self.holds(part, row) for part in predicate]
            return any(each) if predicate.get("booleanOperator") == "or" else all(each)
        value = row[str(predicate.get("field"))]
        if predicate.tag == "SimpleSetPredicate":
            array = predicate.find("Array")
            assert array is not None
            text = str(array.text)
            quoted = array.get("type") == "string"
            listed = re.findall('"([^"]*)"', text) if quoted else text.split()
            assert len(listed) == int(str(array.get("n")))
            inside = value is not None and text_of(value) in listed
            return inside if predicate.get("booleanOperator") == "isIn" else not inside
        operator, wanted = predicate.get("operator"), str(predicate.get("value"))
        if operator == "isMissing":
            return value is None
        if operator == "isNotMissing":
            return value is not None
        if value is None:
            return False
        if operator in ("equal", "notEqual"):
            return (text_of(value) == wanted) == (operator == "equal")
        above = float(value) > float(wanted)
        return above if operator == "greaterThan" else not above

    def regression(self, model: ET.Element, row: Row) -> tuple[Any, dict[str, float]]:
        for field in model.findall("LocalTransformations/DerivedField"):
            row = row | {str(field.get("name")): self.expression(field[0], row)}
        y = []
        for table in model.findall("RegressionTable"):
            terms = (
                float(str(p.get("coefficient"))) * row[str(p.get("name"))]
                for p in table.findall("NumericPredictor")
            )
            y.append((table.get("targetCategory"), float(str(table.get("intercept"))) + sum(terms)))
        how = model.get("normalizationMethod")
        if model.get("functionName") == "regression":
            assert how == "exp"
            return math.exp(y[0][1]), {}
        if how in ("logit", "none"):
            first = 1 / (1 + math.exp(-y[0][1])) if how == "logit" else y[0][1]
            p = {str(y[0][0]): first, str(y[1][0]): 1 - first}
        else:
            most = max(value for _, value in y)
            parts = {str(c): math.exp(v - most) if how == "softmax" else v for c, v in y}
            p = {c: part / sum(parts.values()) for c, part in parts.items()}
        return max(p, key=lambda label: p[label]), p

    def expression(self, part: ET.Element, row: Row) -> float:
        if part.tag == "FieldRef":
            return float(row[str(part.get("field"))])
        if part.tag == "Constant":
            return float(str(part.text))
        x = [self.expression(each, row) for each in part]
        how = part.get("function")
        if how == "exp":
            return math.exp(x[0])
        if how == "pow":
            return float(x[0] ** x[1])
        if how in ("min", "max"):
            return min(x) if how == "min" else max(x)
        return {"+": x[0] + x[1], "*": x[0] * x[1], "/": x[0] / (x[1] or math.nan)}[str(how)]

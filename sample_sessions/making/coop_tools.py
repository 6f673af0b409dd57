"""The tools of the data-analysis session: they really compute over the co-op's year of data."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date, timedelta
from typing import Final

from sample_sessions.making.coop_data import (
    DAYS,
    FIRST_DAY,
    TARIFFS,
    Correction,
    Meter,
    meters,
    readings,
    roof_months,
)
from sample_sessions.making.coop_table import (
    Refused,
    Row,
    as_csv,
    described,
    grouped,
    outside,
    pivoted,
    rounded,
    where,
)
from sample_sessions.making.recording import Tool

WATT_HOURS: Final = {"kWh": 1, "MWh": 1000}
"""Watt-hours in a thousandth of a unit."""

_OPERATIONS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
}


class Notebook:
    """Questions to the data, and the corrections and definitions they are answered under."""

    def __init__(self) -> None:
        self._meters = {meter.meter_id: meter for meter in meters()}
        self._corrections: list[Correction] = []
        self._definitions: dict[str, list[str]] = {}
        self._reports: dict[str, str] = {}
        self._daily: list[Row] = self._read()

    def tools(self) -> dict[str, Tool]:
        """All tools by the names the model calls; they answer JSON texts, and CSV where asked."""
        named: dict[str, Callable[..., object]] = {
            "list_files": self.list_files,
            "show": self.show,
            "profile": self.profile,
            "group_by": self.group_by,
            "pivot": self.pivot,
            "outliers": self.outliers,
            "gaps": self.gaps,
            "correct": self.correct,
            "define": self.define,
            "chart": self.chart,
            "calculate": self.calculate,
            "save_report": self.save_report,
        }
        return {name: _answering(action) for name, action in named.items()}

    def list_files(self) -> object:
        return [
            {"file": name, "rows": len(rows), "columns": list(rows[0])}
            for name in ("meters", "daily", "solar")
            for rows in [self._table(name)]
        ] + [{"file": "tariff", "kind": "json", "keys": list(TARIFFS)}]

    def show(
        self, *, file: str, where: Mapping[str, object] | None = None, rows: int = 20
    ) -> object:
        if file == "tariff":
            return TARIFFS
        return as_csv(self._chosen(file, where)[:rows])

    def profile(self, *, file: str) -> object:
        rows = self._table(file)
        return {"file": file, "rows": len(rows), "columns": described(rows)}

    def group_by(
        self,
        *,
        file: str,
        by: Sequence[str],
        measure: str,
        stats: Sequence[str],
        where: Mapping[str, object] | None = None,
    ) -> object:
        rows = self._chosen(file, where)
        return {"rows_read": len(rows), "groups": grouped(rows, by, measure, stats)}

    def pivot(
        self,
        *,
        file: str,
        by: str,
        across: str,
        measure: str,
        stat: str,
        where: Mapping[str, object] | None = None,
    ) -> object:
        rows = self._chosen(file, where)
        table = pivoted(rows, by, across, measure, stat)
        return {"rows_read": len(rows), "stat": stat, "measure": measure, "table": table}

    def outliers(
        self, *, by: str, factor: float, where: Mapping[str, object] | None = None
    ) -> object:
        rows = self._chosen("daily", where)
        found = outside(rows, by, "kwh", factor)
        shown = ("day", "meter_id", "reading", "unit", "kwh", "flag", "low", "high")
        return {
            "rows_read": len(rows),
            "found": len(found),
            "rows": [{name: row[name] for name in shown} for row in found],
        }

    def gaps(self) -> object:
        days = {FIRST_DAY + timedelta(days=offset) for offset in range(DAYS)}
        found: list[object] = []
        for meter_id in self._meters:
            sent = [str(row["day"]) for row in self._daily if row["meter_id"] == meter_id]
            missing = sorted(day.isoformat() for day in days if day.isoformat() not in set(sent))
            twice = sorted({day for day in sent if sent.count(day) > 1})
            if missing or twice:
                found.append({"meter_id": meter_id, "missing": missing, "twice": twice})
        return {"days": DAYS, "meters": len(self._meters), "with_faults": found}

    def correct(
        self, *, meter_id: str, action: str, reason: str, first: str = "", last: str = ""
    ) -> object:
        if action not in {"unit MWh", "leave out", "once a day"}:
            raise Refused(f"no action {action!r}; actions: unit MWh, leave out, once a day")
        before = self._total(meter_id)
        self._corrections.append(
            Correction(
                meter_id,
                date.fromisoformat(first or FIRST_DAY.isoformat()),
                date.fromisoformat(last or "2025-12-31"),
                action,
                reason,
            )
        )
        self._daily = self._read()
        return {
            "correction": len(self._corrections),
            "meter_id": meter_id,
            "action": action,
            "kwh_before": before,
            "kwh_after": self._total(meter_id),
        }

    def define(self, *, name: str, months: Sequence[str]) -> object:
        before = self._definitions.get(name)
        self._definitions[name] = list(months)
        return {"name": name, "before": before, "now": list(months)}

    def chart(
        self,
        *,
        kind: str,
        title: str,
        x: str,
        file: str = "daily",
        series: str = "",
        measure: str = "kwh",
        stat: str = "mean",
        where: Mapping[str, object] | None = None,
        line_at: float | None = None,
    ) -> object:
        rows = self._chosen(file, where)
        by = (series, x) if series else (x,)
        points = grouped(rows, by, measure, (stat,))
        lines: dict[str, list[list[object]]] = {}
        for point in points:
            lines.setdefault(str(point[series]) if series else measure, []).append(
                [point[x], point[stat]]
            )
        return {
            "kind": kind,
            "title": title,
            "x": x,
            "y": f"{stat} of {measure}",
            "line_at": line_at,
            "series": lines,
        }

    def calculate(self, *, expression: str, decimals: int = 2) -> object:
        value = round(_value(ast.parse(expression).body), decimals)
        return {"expression": expression, "result": int(value) if value == int(value) else value}

    def save_report(self, *, name: str, text: str) -> object:
        named = [meter.member for meter in self._meters.values() if meter.member in text]
        if named:
            raise Refused(f"the report names members: {', '.join(named)}")
        self._reports[name] = text
        return {"saved": name, "characters": len(text), "corrections": len(self._corrections)}

    def _table(self, name: str) -> list[Row]:
        if name == "daily":
            return self._daily
        if name == "meters":
            return [asdict(meter) for meter in self._meters.values()]
        if name == "solar":
            return [
                {"month": month, "roof": roof, "kwh": kwh} for month, roof, kwh in roof_months()
            ]
        raise Refused(f"no file {name!r}; files: meters, daily, solar, tariff")

    def _chosen(self, file: str, wanted: Mapping[str, object] | None) -> list[Row]:
        """The rows asked for; a defined name stands for its months."""
        named = {
            column: self._definitions.get(str(value), value)
            for column, value in (wanted or {}).items()
        }
        return where(self._table(file), named)

    def _total(self, meter_id: str) -> int | float:
        rows = where(self._daily, {"meter_id": meter_id})
        return rounded(sum(float(row["kwh"]) for row in rows))

    def _read(self) -> list[Row]:
        rows: list[Row] = []
        seen: set[tuple[date, str]] = set()
        for reading in readings():
            meter = self._meters[reading.meter_id]
            actions = {
                correction.action
                for correction in self._corrections
                if correction.covers(reading.meter_id, reading.day)
            }
            key = (reading.day, reading.meter_id)
            if "leave out" in actions or ("once a day" in actions and key in seen):
                continue
            seen.add(key)
            unit = "MWh" if "unit MWh" in actions else meter.unit
            rows.append(_row(reading.day, meter, reading.amount, unit, reading.flag))
        return rows


def _row(day: date, meter: Meter, amount: int, unit: str, flag: str) -> Row:
    kwh = amount * WATT_HOURS[unit] / 1000
    return {
        "day": day.isoformat(),
        "month": day.isoformat()[:7],
        "meter_id": meter.meter_id,
        "street": meter.street,
        "kind": meter.kind,
        "heating": meter.heating,
        "people": meter.people,
        "reading": amount / 1000,
        "unit": unit,
        "kwh": kwh,
        "kwh_per_person": round(kwh / meter.people, 3),
        "flag": flag,
    }


def _value(node: object) -> float:
    match node:
        case [ast.Expr(value=value)]:
            return _value(value)
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](_value(left), _value(right))
        case _:
            raise Refused("only numbers with + - * / and brackets")


def _answering(action: Callable[..., object]) -> Tool:
    def answer(arguments: Mapping[str, object]) -> str:
        try:
            result = action(**arguments)
        except Refused as refusal:
            result = {"error": str(refusal)}
        return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)

    return answer

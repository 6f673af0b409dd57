"""Group, describe and compare rows of measured data: plain counting, no library."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, cast

Value = str | int | float
Row = Mapping[str, Value]

STATS: Final[Mapping[str, Callable[[Sequence[float]], float]]] = {
    "sum": sum,
    "mean": statistics.fmean,
    "median": statistics.median,
    "min": min,
    "max": max,
    "count": len,
}


class Refused(Exception):
    """A question that the data cannot answer; the text says why."""


def rounded(value: float) -> int | float:
    """One decimal, and none where there is nothing behind the point."""
    short = round(value, 1)
    return int(short) if short == int(short) else short


def where(rows: Iterable[Row], wanted: Mapping[str, object]) -> list[Row]:
    """The rows whose columns have the wanted value, or one of several."""
    allowed = {
        column: set(cast("list[Value]", value)) if isinstance(value, list) else {value}
        for column, value in wanted.items()
    }
    return [row for row in rows if all(_cell(row, name) in allowed[name] for name in allowed)]


def _cell(row: Row, column: str) -> Value:
    if column not in row:
        raise Refused(f"no column {column!r}; columns: {', '.join(row)}")
    return row[column]


def groups(
    rows: Iterable[Row], by: Sequence[str], measure: str
) -> dict[tuple[Value, ...], list[float]]:
    """The measured values per combination of the columns, combinations in their order."""
    found: dict[tuple[Value, ...], list[float]] = {}
    for row in rows:
        key = tuple(_cell(row, column) for column in by)
        found.setdefault(key, []).append(float(_cell(row, measure)))
    return dict(sorted(found.items()))


def grouped(
    rows: Iterable[Row], by: Sequence[str], measure: str, stats: Sequence[str]
) -> list[Row]:
    """One row per combination, with one column per statistic."""
    unknown = [stat for stat in stats if stat not in STATS]
    if unknown:
        raise Refused(f"no statistic {unknown[0]!r}; statistics: {', '.join(STATS)}")
    return [
        dict(zip(by, key, strict=True)) | {stat: rounded(STATS[stat](values)) for stat in stats}
        for key, values in groups(rows, by, measure).items()
    ]


def pivoted(rows: Iterable[Row], by: str, across: str, measure: str, stat: str) -> list[Row]:
    """One row per value of `by`, with one column per value of `across`."""
    wide: dict[Value, dict[str, Value]] = {}
    for (row_key, column), values in groups(rows, (by, across), measure).items():
        wide.setdefault(row_key, {by: row_key})[str(column)] = rounded(STATS[stat](values))
    return list(wide.values())


def outside(rows: Sequence[Row], by: str, measure: str, factor: float) -> list[Row]:
    """Rows beyond the quartiles of their group by more than `factor` times the spread."""
    found: list[Row] = []
    fences: dict[Value, tuple[float, float]] = {}
    for (key,), values in groups(rows, (by,), measure).items():
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        fences[key] = (low - factor * (high - low), high + factor * (high - low))
    for row in rows:
        low, high = fences[row[by]]
        if not low <= float(row[measure]) <= high:
            found.append({**row, "low": rounded(low), "high": rounded(high)})
    return found


def described(rows: Sequence[Row]) -> list[Mapping[str, object]]:
    """Per column: its kind, how many different values, its range, and its values where few."""
    return [_column(name, [row[name] for row in rows]) for name in rows[0]]


def _column(name: str, values: Sequence[Value]) -> Mapping[str, object]:
    distinct = sorted(set(values))
    kind = "text" if isinstance(values[0], str) else "number"
    about: dict[str, object] = {"column": name, "kind": kind, "distinct": len(distinct)}
    about |= {"min": distinct[0], "max": distinct[-1]}
    if kind == "number":
        about["mean"] = rounded(statistics.fmean(float(value) for value in values))
    if len(distinct) <= 8:
        about["values"] = {str(value): values.count(value) for value in distinct}
    return about


def as_csv(rows: Sequence[Row]) -> str:
    """The rows as CSV with a header line."""
    if not rows:
        return "(no rows)"
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().rstrip("\n")

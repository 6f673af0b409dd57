"""What calls needed of what left the window: every method, with n and 95 % intervals.

    python -m benchmarks.retention [SHARE ...]

Budget = system message + a share (10, 20 and 40 %) of all other tokens of the whole session. At
every call whose history exceeds it, one compaction with no memory of earlier calls. FRR = items
last seen at least 4 messages before that stand in the window, in a line with at least a third of
the words around them; prose = rare words used again; a labelled call counts if all values its label
names stand in the window. Items are found by the tests' own extractor. Intervals are over sessions.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from memory_core.config import MemoryConfig
from memory_core.gauge import Gauge
from tests.retention.methods import methods
from tests.retention.needs import Case
from tests.retention.recordings import LONG, OTHERS, SAMPLES, cases, sample, tool_runs
from tests.retention.scoring import MEASURES, Score, budget_of, figure, score, twins
from tests.setup.folders import SHARED

SHARES = (0.1, 0.2, 0.4)
SLOW = frozenset({"TF-IDF MMR"})
LONGEST_FOR_SLOW = 300


def groups() -> Mapping[str, Sequence[Case]]:
    """The sessions by kind, as far as they are at hand."""
    found: dict[str, Sequence[Case]] = {f"sample {name}": (sample(name),) for name in SAMPLES}
    if SHARED.is_dir():
        runs = tool_runs()
        found["tool runs, even (settings were chosen on these)"] = runs[::2]
        found["tool runs, odd"] = runs[1::2]
        found["long coding session"] = cases(LONG)[:1]
        found["its side chain"] = cases(LONG)[1:]
        others = (one for file in OTHERS for one in cases(SHARED / "sessions" / file))
        found["other agents"] = tuple(one for one in others if one.points)
    return found


def main() -> None:
    """Print a table per kind of session and share; end with an error where two methods are one."""
    gauge = Gauge(MemoryConfig())
    shares = [float(one) for one in sys.argv[1:]] or SHARES
    doubles: list[str] = []
    for name, measured in groups().items():
        whole: dict[str, list[Score]] = {}
        for share in shares:
            table = measure(measured, share, gauge)
            for method, scores in table.items():
                whole.setdefault(method, []).extend(scores)
            points = max(sum(one.points for one in scores) for scores in table.values())
            print(f"\n{name}, {share:.0%}: {len(measured)} sessions, {points} windows")
            show(table)
        doubles += [f"{first!r} and {other!r} ({name})" for first, other in twins(whole)]
    if doubles:
        sys.exit("the same digits in every cell: " + "; ".join(doubles))


def measure(measured: Sequence[Case], share: float, gauge: Gauge) -> Mapping[str, Sequence[Score]]:
    """The scores of every method that is quick enough for these sessions."""
    is_long = any(len(case.messages) > LONGEST_FOR_SLOW for case in measured)
    return {
        name: [
            score(case, method, budget=budget_of(case, share, gauge), gauge=gauge)
            for case in measured
        ]
        for name, method in methods(gauge).items()
        if not (is_long and name in SLOW)
    }


def show(table: Mapping[str, Sequence[Score]]) -> None:
    """Print a column per measure that was asked for."""
    first = next(iter(table.values()))
    asked = [(one, found.n) for one in MEASURES if (found := figure(first, one))]
    print(" " * 24 + "".join(f"{name:>20}" for name, _ in asked) + f"{'over budget':>14}")
    print(f"{'n':24}" + "".join(f"{count:20}" for _, count in asked))
    for name, scores in table.items():
        cells = [figure(scores, one) for one, _ in asked]
        texts = [f"{one.share:.2f} [{one.low:.2f}, {one.high:.2f}]" if one else "" for one in cells]
        over = sum(one.over for one in scores)
        print(f"{name:24}" + "".join(f"{text:>20}" for text in texts) + f"{over:14}")


if __name__ == "__main__":
    main()

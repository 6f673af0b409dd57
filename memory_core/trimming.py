"""Which tool outputs are shortened: old ones by age, newer ones where the budget needs it."""

from __future__ import annotations

from memory_core.config import MemoryConfig
from memory_core.ledger import Ledger, Output
from memory_core.plan import Cause


class Trimming:
    """Looks at every output once as it grows old; what is shortened stays shortened."""

    def __init__(self, config: MemoryConfig, ledger: Ledger) -> None:
        self._config = config
        self._ledger = ledger
        self._aged = 0
        self._waiting: list[Output] = []
        """Old outputs of exchanges that are still open."""
        self._ready: list[Output] = []
        """Old outputs that shortening would help and nothing protects."""

    def collect(self) -> None:
        """Take in the outputs that have grown old since the last call point."""
        ledger, config = self._ledger, self._config
        if config.prune_when == "never":
            return
        oldest_kept = len(ledger.messages) - config.keep_recent_messages
        last = len(ledger.outputs) - config.keep_recent_tool_outputs
        while self._aged < last:
            output = ledger.outputs[self._aged]
            if ledger.entry(output).index >= oldest_kept:
                break
            self._aged += 1
            self._waiting.append(output)
        closed = [output for output in self._waiting if not self._is_open(output)]
        if closed:
            self._ready += [output for output in closed if self._may_shorten(output)]
            self._waiting = [output for output in self._waiting if self._is_open(output)]

    def by_age(self, cause: Cause) -> None:
        """Shorten the old outputs, if together they free what `prune_min_clear` asks for."""
        ledger = self._ledger
        if not self._ready:
            return
        ready = [output for output in self._ready if output.position >= ledger.mark]
        clears = self._config.prune_min_clear
        if clears and sum(ledger.saving(output) for output in ready) < clears:
            return
        for output in ready:
            ledger.prune(output, cause)
        self._ready = []

    def newest(self, start: int, excess: int) -> None:
        """Shorten outputs in exchanges from `start` on, largest first, until `excess` is freed."""
        ledger = self._ledger
        if excess <= 0 or self._config.prune_when == "never":
            return
        found = [
            output
            for output in ledger.outputs
            if output.position >= start and not self._is_open(output) and ledger.saving(output)
        ]
        for output in sorted(found, key=ledger.full_tokens, reverse=True):
            if excess <= 0:
                return
            excess -= ledger.saving(output)
            ledger.prune(output, Cause.BUDGET)

    def _may_shorten(self, output: Output) -> bool:
        ledger = self._ledger
        if output.position < ledger.mark or not ledger.saving(output):
            return False
        protects = self._config.protect_errors
        return not (protects and ledger.says_error(output))

    def _is_open(self, output: Output) -> bool:
        return self._ledger.rows[output.position].exchange.is_open

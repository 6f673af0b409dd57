"""Every number a person can turn, validated, frozen and readable as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
)
from pydantic_core import ErrorDetails

from memory_core.errors import InvalidConfig
from memory_core.texts import _

PruneWhen = Literal["always", "trigger", "never"]
WindowWhen = Literal["trigger", "every_call", "never"]
PruningStyle = Literal["head", "head_tail", "json", "placeholder"]
ThresholdUnit = Literal["characters", "tokens"]
SummarizerName = Literal["extractive", "article", "model", "none"]
SummaryHeading = Literal["korean", "english"]
ProviderProfile = Literal["openai", "anthropic", "strict"]

MOST = 10**15
"""The largest number a setting takes: more is neither a budget nor exact as a float."""


def _whole_text(text: str) -> str:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(_("half a character (a lone surrogate) is no text"))
    return text


Text = Annotated[StrictStr, AfterValidator(_whole_text)]
Count = Annotated[StrictInt, Field(ge=0, le=MOST)]
Ratio = Annotated[float, Field(strict=True, gt=0, le=1)]


class MemoryConfig(BaseModel, frozen=True, extra="forbid"):
    """The settings of one memory; the first four fields and defaults are the first article's.

    Refused on construction, with field and reason: unknown fields, numeric strings, bad ranges.
    """

    max_token_budget: Count = Field(
        default=4000,
        description=_("Tokens the whole request may hold. Raising it keeps more and costs more."),
    )
    sliding_window_size: Count = Field(
        default=10,
        description=_(
            "Newest messages that stay when old ones leave; what pruning shortens of them "
            "stays short. Raising it keeps more recent detail."
        ),
    )
    tool_pruning_threshold: Count = Field(
        default=150,
        description=_("Longest tool output left whole once it is old. Raising it shortens fewer."),
    )
    summary_trigger_ratio: Ratio = Field(
        default=0.8,
        description=_(
            "Share of the budget above which old messages are summarised. Raising it "
            "compacts later."
        ),
    )
    threshold_unit: ThresholdUnit = Field(
        default="characters",
        description=_("What the pruning threshold counts: characters, as the article, or tokens."),
    )
    prune_when: PruneWhen = Field(
        default="always",
        description=_(
            "When old tool outputs are shortened: always, only above the trigger, never."
        ),
    )
    keep_recent_messages: Count = Field(
        default=3, description=_("Newest messages, of any role, whose tool outputs are left whole.")
    )
    keep_recent_tool_outputs: Count = Field(
        default=0, description=_("Newest tool outputs left whole, however old.")
    )
    pruning_style: PruningStyle = Field(
        default="head_tail",
        description=_(
            "What stays of a shortened output: its head, head and tail, its JSON shape, "
            "or a placeholder."
        ),
    )
    protect_errors: StrictBool = Field(
        default=True,
        description=_("Leave error outputs whole, unless the budget cannot be held otherwise."),
    )
    prune_min_clear: Count = Field(
        default=0,
        description=_("Shorten old outputs only in batches that free at least this many tokens."),
    )
    window_when: WindowWhen = Field(
        default="trigger",
        description=_(
            "When messages older than the window leave: above the trigger, at every call, "
            "or only as far as needed."
        ),
    )
    summarizer: SummarizerName = Field(
        default="extractive",
        description=_(
            "What stands for the messages that left: verbatim extracts, the article's "
            "first 50 characters, a model's notes, or nothing."
        ),
    )
    max_summary_tokens: Count | None = Field(
        default=None,
        description=_("Cap of the summary in tokens; empty = a quarter of the budget."),
    )
    summary_heading: SummaryHeading = Field(
        default="korean",
        description=_("Language of the heading of a summary, and of what a model is asked in."),
    )
    target_ratio: Ratio | None = Field(
        default=None,
        description=_("Share of the budget a compaction aims for; empty = cut at the window size."),
    )
    reply_reserve: Count = Field(
        default=0, description=_("Tokens kept free for the model's reply.")
    )
    fixed_overhead_tokens: Count = Field(
        default=0,
        description=_("Tokens of every request that no transcript holds, such as tool schemas."),
    )
    provider_profile: ProviderProfile = Field(
        default="openai",
        description=_(
            "Message rules of the provider; strict and anthropic allow one system message "
            "and start with the user."
        ),
    )
    model: Text = Field(default="gpt-5", description=_("Model whose tokens are counted."))
    unknown_model_factor: Annotated[float, Field(strict=True, gt=0, le=10)] = Field(
        default=1.0,
        description=_("Factor on o200k counts for models whose vocabulary is not public."),
    )
    image_tokens: Count = Field(default=765, description=_("Fixed cost of one image in tokens."))
    keep_thinking: StrictBool = Field(
        default=False, description=_("Send and count recorded thinking.")
    )
    pins: tuple[StrictInt | Text, ...] = Field(
        default=(),
        description=_("Messages that always stay, by 0-based index or by id."),
        json_schema_extra={"session_bound": True},
    )

    @property
    def trigger_tokens(self) -> int:
        """The total strictly above which old messages are summarised."""
        return int(self.summary_trigger_ratio * self.max_token_budget)

    @property
    def summary_cap(self) -> int:
        """The most tokens a summary may take: a quarter of the budget, or the cap up to half."""
        if self.max_summary_tokens is None:
            return self.max_token_budget // 4
        return min(self.max_summary_tokens, self.max_token_budget // 2)

    def portable(self) -> str:
        """The config as JSON for other sessions: what belongs to this session only is left out."""
        return json.dumps(self.model_dump(exclude=set(SESSION_BOUND)), indent=2)

    def changed(self) -> dict[str, object]:
        """The fields that differ from the defaults, as plain JSON data."""
        return {
            name: value
            for name, value in self.model_dump(mode="json").items()
            if value != _DEFAULTS[name]
        }


_DEFAULTS = MemoryConfig().model_dump(mode="json")

SESSION_BOUND: Final = frozenset(
    name
    for name, field in MemoryConfig.model_fields.items()
    if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("session_bound")
)
"""The fields that mean something in one session only, so that no preset holds them."""


def describe(error: ValidationError, *, names: Mapping[str, str] | None = None) -> str:
    """One line per refused field: its name and the reason, always text that can be written.

    `names`: what fields are called where a person reads it, instead of their names in a file.
    """
    known = names or {}
    told = "; ".join(
        f"{'.'.join(known.get(str(part), str(part)) for part in item['loc']) or 'config'}: "
        f"{_reason(item)}"
        for item in error.errors()
    )
    return told.encode("utf-8", "backslashreplace").decode()


_BOUNDS: Final = {
    "greater_than_equal": ("ge", _("{value} is too small: {bound} is the least it takes")),
    "greater_than": ("gt", _("{value} is too small: it must be more than {bound}")),
    "less_than_equal": ("le", _("{value} is too large: {bound} is the most it takes")),
}
"""By Pydantic's word for it: where it states the bound, and the reason."""


def _reason(item: ErrorDetails) -> str:
    if item["type"] in _BOUNDS:
        name, reason = _BOUNDS[item["type"]]
        bound = item.get("ctx", {}).get(name)
        return reason.format(value=item["input"], bound=f"{bound:,}")
    if item["type"] != "extra_forbidden":
        return item["msg"].removeprefix("Value error, ")
    close = get_close_matches(str(item["loc"][-1]), MemoryConfig.model_fields, n=1)
    if close:
        return _("there is no such field; did you mean {name}?").format(name=close[0])
    return _("there is no such field")


def parse_config(text: str, *, source: str = "config") -> MemoryConfig:
    """The config in a JSON text; raises `InvalidConfig` naming `source`, field and reason."""
    try:
        return MemoryConfig.model_validate(json.loads(text))
    except ValidationError as error:
        raise InvalidConfig(f"{source}: {describe(error)}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidConfig(
            _("{source}: not JSON: {reason}").format(source=source, reason=error)
        ) from error


def read_config(path: str | Path) -> MemoryConfig:
    """The config in a JSON file or pipe; raises `InvalidConfig` naming the file and the reason."""
    file = Path(path)
    try:
        if file.exists() and not (file.is_file() or file.is_fifo()):
            raise InvalidConfig(_("{path}: neither a file nor a pipe").format(path=path))
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidConfig(_("{path}: not UTF-8 text").format(path=path)) from error
    except OSError as error:
        raise InvalidConfig(f"{path}: {error.strerror}") from error
    return parse_config(text, source=str(path))

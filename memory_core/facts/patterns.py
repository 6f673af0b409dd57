"""The patterns of facts: bounded, possessive, with ASCII edges since Hangul is a word character."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memory_core.facts.fact import FactKind

# A pattern that begins with a plain class is searched several times faster than one that begins
# with a look-behind, so the edge is checked after the first character: `[0-9](?<!edge.)`.
_EDGE = r"(?<![A-Za-z0-9_])"
_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,6}+|[0-9]{1,15}+)(?:\.[0-9]{1,6}+)?"
_COUNT = (
    r"[0-9](?<![A-Za-z0-9_.,].)"
    r"(?:[0-9]{0,2}(?:,[0-9]{3}){1,6}+|[0-9]{0,14}+)(?:\.[0-9]{1,6}+)?"
)
_CLOCK = r"[0-9]{1,2}:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9}+)?)?"
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DATES = (
    r"[0-9]{4}([-/.])(?:0?[1-9]|1[0-2])\1(?:[12][0-9]|3[01]|0?[1-9])(?![0-9])"
    rf"(?:[T ]{_CLOCK}(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?"
    r"|[0-9]{1,2}([/.])[0-9]{1,2}\2[0-9]{4}(?![0-9])"
    r"|(?:[0-9]{2,4}년 ?)?[0-9]{1,2}월(?: ?[0-9]{1,2}일)?|[0-9]{4}년"
    rf"|{_CLOCK}(?![0-9:])(?: ?[AaPp]\.?[Mm](?![A-Za-z]))?"
    r"|[0-9]{1,2} ?[AaPp]\.?[Mm](?![A-Za-z])"
    r"|[0-9]{1,2}시(?!간)(?: ?[0-9]{1,2}분)?"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th)? {_MONTH}(?![A-Za-z])(?:,? [0-9]{{4}}(?![0-9]))?"
)
_UNITS = (
    r"(?:%|퍼센트|°C|°F|℃"
    r"|(?:ms|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?"
    r"|bytes?|[kKMGT]i?B|bps|[KMG]bps|Hz|[kMG]Hz|px|pt|rem|em|kg|mg|km|cm|mm|ml|lbs?|mph"
    r"|tokens?|lines?|files?|rows?|items?|tests?|messages?|requests?|times?|users?|people"
    r"|passengers?|bags?|seats?|points?|nights?|pieces?|units?|percent)(?![A-Za-z0-9_])"
    r"|[smhdgL](?![A-Za-z0-9_'\u2019])"
    r"|개월|시간|개|명|분|초|일|주|년|회|번|건|장|권|대|마리|층|호|세|살|배|점|위|킬로|그램|토큰|줄)"
)
_SEGMENT = r"A-Za-z0-9_.@+~%\-"
_EXTENSIONS = (
    r"(?:py|pyi|ipynb|js|mjs|cjs|ts|tsx|jsx|json|jsonl|yaml|yml|toml|ini|cfg|conf|env|md|mdx|rst|txt"
    r"|csv|tsv|xml|html?|css|scss|sql|db|sqlite3?|parquet|pdf|docx?|xlsx?|pptx?|hwpx?|png|jpe?g|gif"
    r"|svg|webp|mp[34]|wav|zip|tar|gz|tgz|whl|lock|log|sh|bash|zsh|ps1|bat|exe|dll|so|rs|go|java|kt"
    r"|swift|rb|php|c|h|cc|cpp|hpp|cs|ex|exs|heex|erl|hs|scala|clj|lua|proto|graphql|vue|svelte"
    r"|tf|patch|diff|bak|tmp|pem|crt)"
)
_CAPITAL = r"[A-Z][A-Za-z]{1,30}+"


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern; it is tried only on texts that hold `needs`."""

    kind: FactKind
    pattern: re.Pattern[str]
    needs: str = ""


def _rule(kind: FactKind, pattern: str, needs: str = "") -> Rule:
    return Rule(kind, re.compile(pattern), needs)


RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "url",
        r"[A-Za-z](?<![A-Za-z0-9+].)[A-Za-z0-9+]{1,15}+://[!#-&(-;=?-\[\]_a-z~]{1,2000}+",
        "://",
    ),
    _rule(
        "email",
        r"[A-Za-z0-9._%+\-](?<![A-Za-z0-9._%+\-].)[A-Za-z0-9._%+\-]{0,63}+@"
        r"[A-Za-z0-9\-]{1,63}+(?:\.[A-Za-z0-9\-]{1,63}+){1,8}+",
        "@",
    ),
    _rule(
        "path",
        rf"[{_SEGMENT}/](?<![{_SEGMENT}/<\\].)(?:(?<=/)|[{_SEGMENT}]{{0,120}}+/)"
        rf"(?:[{_SEGMENT}가-힣]{{1,120}}+/){{0,40}}+"
        rf"(?:[{_SEGMENT}가-힣]{{1,120}}\.[A-Za-z0-9]{{1,8}}(?![A-Za-z0-9])|[{_SEGMENT}]{{0,120}}+)",
        "/",
    ),
    _rule(
        "path",
        rf"[A-Za-z0-9_\-](?<![{_SEGMENT}/].)[A-Za-z0-9_\-]{{0,80}}+(?:\.[A-Za-z0-9_\-]{{1,40}}+){{0,4}}?"
        rf"\.{_EXTENSIONS}(?![A-Za-z0-9_/(\-])",
        ".",
    ),
    _rule("date", rf"(?<![A-Za-z0-9_.:/\-])(?=[0-9])(?:{_DATES})"),
    _rule(
        "date",
        rf"(?<![A-Za-z])(?=[JFMASOND]){_MONTH}\.? [0-9]{{1,2}}(?:st|nd|rd|th)?(?![A-Za-z0-9])"
        r"(?:,? [0-9]{4}(?![0-9]))?",
    ),
    _rule("date", r"오[전후] ?[0-9]{1,2}시(?: ?[0-9]{1,2}분)?", "시"),
    _rule("money", rf"[$€£¥₩] ?{_NUMBER}(?:[kKmMbB](?![A-Za-z0-9]))?"),
    _rule("money", rf"(?=[UEKGJ]){_EDGE}(?:USD|EUR|KRW|GBP|JPY) ?{_NUMBER}"),
    _rule(
        "money",
        rf"{_COUNT} ?(?:(?:USD|EUR|KRW|GBP|JPY|dollars?|euros?)(?![A-Za-z])"
        r"|(?:십|백|천|만|억|조){0,3}(?: ?(?:원|달러|유로|엔)))",
    ),
    _rule("quantity", rf"{_COUNT}[ \-]?{_UNITS}"),
    _rule(
        "error",
        r"[A-Z](?<![A-Za-z0-9_].)(?!(?:rror|xception|arning)(?![A-Za-z0-9]))"
        r"[A-Za-z0-9]{2,60}+(?:(?<=Error)|(?<=Exception)|(?<=Warning))(?![A-Za-z0-9_])",
    ),
    _rule(
        "error",
        r"E(?<![A-Za-z0-9_].)(?:NOENT|ACCES|PERM|EXIST|CONNREFUSED|CONNRESET|ADDRINUSE|TIMEDOUT"
        r"|PIPE|INVAL|NOTFOUND|ISDIR|NOTDIR|MFILE|RESOLVE|LIFECYCLE|RR_[A-Z0-9_]{2,60}+)"
        r"(?![A-Za-z0-9_])",
    ),
    _rule(
        "error",
        r"[HSsEeCc](?<![A-Za-z0-9_].)(?:(?<=H)TTP|(?<=[Ss])tatus(?: code)?|(?<=[Cc])ode"
        r"|(?<=[Ee])(?:xit(?: (?:code|status))?|rrno|rror(?: code)?))"
        r"[ :=]{1,3}-?[0-9]{1,5}+(?![A-Za-z0-9_]|\.[0-9])",
    ),
    _rule(
        "error",
        r"(?:오류|에러|상태) ?(?:코드|번호)?[ :=]{0,2}[A-Z]{0,4}-?[0-9]{1,6}+(?![A-Za-z0-9_])",
    ),
    _rule(
        "number",
        r"[0-9](?<![A-Za-z0-9_.,].)[0-9]{0,2}(?:,[0-9]{3}){1,6}+(?:\.[0-9]{1,6}+)?(?![A-Za-z0-9_])",
        ",",
    ),
    _rule(
        "id",
        r"(?<![A-Za-z0-9_\-])[A-Za-z_\-]{0,64}+\.?[0-9][A-Za-z0-9_\-]{0,128}+"
        r"(?:\.[0-9][A-Za-z0-9_\-]{0,32}+){0,5}+(?![A-Za-z0-9_\-])",
    ),
    _rule("id", r"#(?<![A-Za-z0-9_&#/\[].)[A-Za-z0-9][A-Za-z0-9_\-]{1,64}+", "#"),
    _rule("name", rf"[A-Z](?<=[a-z,;)가-힣] .)[A-Za-z]{{1,30}}+(?: {_CAPITAL}){{0,4}}+"),
    _rule("name", rf"[A-Z](?<=[\"='].)[A-Za-z]{{1,30}}+(?: {_CAPITAL}){{0,4}}+(?=[\"'\n\\]|$)"),
    _rule("name", rf"[A-Z](?<=: .)[A-Za-z]{{1,30}}+(?: {_CAPITAL}){{1,4}}+"),
)
"""In order of precedence: of two facts that start at the same place, the earlier rule's stays."""

"""How decisions are worded in English and Korean."""

from __future__ import annotations

import re
from typing import Final

from memory_core.facts.phrasing import TALKERS, USER, WORD_START, Cue, Wording, ending

_DOUBT: Final = ending(
    r"(?:n['\u2019]t|(?<![a-z])(?:not|if|whether|once|until|unless|never|haven"
    r"|should|shall|could|why|yet|or|to be))"
    r"(?: (?:we|you|i|they|have|had|been|be|is|already|yet|to)(?:['\u2019]ve)?){0,3}\s{1,4}"
)
_I: Final = ending(r"(?<![a-z])(?:i|we|i['\u2019]ve|we['\u2019]ve|i have|we have)\s{1,4}")
_PARTY: Final = ending(
    r"(?:\A|(?<![a-z])(?:i|we|you|it|(?:the|our) [a-z]{2,20}|and|have|has|had|was"
    r"|been|is|finally|also|already|just|(?:i|we|you)['\u2019]ve))"
    r"\s{1,4}|\A"
)
_CONSENT: Final = ending(
    r"(?:\A|[.,;:!]|(?<![a-z])(?:yes|please|d like to|want to|let['\u2019]?s"
    r"|ahead and|just|ok|okay|sure|i['\u2019]ll|i will))\s{0,4}"
)
_ENGLISH: Final = (
    Cue(r"(?<=[Dd])ecided (?:to|on|that|against|not|we|I|:)", TALKERS, _PARTY, _DOUBT),
    Cue(r"(?<=[Dd])ecision(?: is)?(?: made)?: ?\S", TALKERS),
    Cue(
        r"(?<=[Ll])et(?:['\u2019]?s| us) (?:just |then |instead |rather |please |not )?"
        r"(?:go (?:with|for)|keep|stick|skip|drop|switch"
        r"|leave|pick|choose|settle|call it|make it|stay|avoid|postpone|ship|revert"
        r"|use [^.\n]{1,80}? (?:instead|rather than|not|over) )(?![a-z])",
        TALKERS,
    ),
    Cue(
        r"(?<=[Ll])et(?:['\u2019]?s| us) (?:just |then |please )?(?:use|go ahead|proceed"
        r"|move forward with|do|book|add|cancel|change|take)(?![a-z])(?! (?:a|some) )",
        USER,
    ),
    Cue(
        r"(?<=[IiWw])(?:e?(?:['\u2019]ll| will|['\u2019]m| am|['\u2019]re| are)) "
        r"(?:just |then |instead |rather |therefore |not )?(?:(?:go|going|stick|sticking"
        r"|stay) with|(?:go|going) for"
        r"|opt for|choose|pick (?!up)|keep (?!you|an|look|going|in mind|working|track)"
        r"|switch to|settle (?:on|for)|use [^.\n]{1,80}? (?:instead|rather than|not"
        r"|and not|over) )",
        TALKERS,
        None,
        _DOUBT,
    ),
    Cue(
        r"(?<=[Ii])(?:['\u2019]ll| will) (?:just )?(?:take|use|have|pay with|book) (?=[a-z])",
        USER,
        None,
        _DOUBT,
    ),
    Cue(
        r"(?<=[Aa])greed(?:[:!\u2014]|, | - |\.(?=\s)|(?= (?:to|on|that) ))", TALKERS, None, _DOUBT
    ),
    Cue(r"(?<=[SsOo])(?:ettled on|pted (?:for|to)) ", TALKERS, None, _DOUBT),
    Cue(r"(?<=[CcPp])(?:hose|icked|hosen) (?=[a-z`\"'])", TALKERS, _I, _DOUBT),
    Cue(r"(?<=[GgPp])(?:o|oing|o ahead|roceed) with (?=\S)", USER, _CONSENT, _DOUBT),
    Cue(r"(?<=[Ff])inal (?:decision|choice|answer)(?: is)?[: ]", TALKERS),
)
_KOREAN: Final = (
    Cue(
        r"(?<=결)정(?:했|하였|됐|되었|됨|함|입니다|사항| ?: ?\S|합니다|할게|하겠|하죠|하자)",
        TALKERS,
    ),
    Cue(
        r"(?<=기)로 ?(?:했|하(?:고|죠|자|였|겠|며|여|ㅁ)|함|합의|합시다|해요|할게|결정"
        r"|정했|한 |(?=[.!\n]|\Z))",
        TALKERS,
    ),
    Cue(
        r"(?<=로) ?(?:가(?:자|시죠|죠|기로)|갑시다|갈게|하(?:자|죠|시죠)|합시다|할게"
        r"|해주세요|해 주세요|해줘|확정|정했|정하|결정"
        r"|갈아타|바꾸자|바꿉시다|통일)(?!면|지 못|기 전|하면)",
        TALKERS,
    ),
    Cue(r"(?<=확)정(?:했|합니다|할게|하겠|하자|하죠|됐|되었|입니다)", TALKERS),
    Cue(
        r"(?<=대)신 [^\n.?!]{1,40}?(?:쓰자|쓸게|쓰겠|쓰죠|사용하겠|사용할게|사용합시다"
        r"|할게|하자|하겠)",
        TALKERS,
    ),
    Cue(
        r"(?<=[불소환문매약제택청행])(?<=(?:환불|취소|교환|주문|구매|예약|결제|선택"
        r"|신청|진행))할게",
        USER,
    ),
    Cue(
        r"(?<=[걸냥만게로]) [^\n.?!]{0,24}?(?:할게요?|쓸게요?|살게요?|받을게요?"
        r"|먹을게요?|둘게요?|갈게요?)(?![가-힣])",
        USER,
    ),
)
_NO_DECISION: Final = re.compile(
    r"(?i)\A\W{0,4}(?:once|if|please (?:let|confirm|provide|share)|when you"
    r"|could you|would you)(?![a-z])|결정(?:하지|되지|을 못|이 안|할 수|해야"
    r"|하기 전)|확정(?:되면|하기 전|되지"
    r"|이 안)|미확정|아직 (?:결정|확정|정하)"
    r"|(?:haven['\u2019]t|not|yet to|can['\u2019]t|couldn['\u2019]t) (?:yet )?"
    r"(?:been )?decide|if (?:we|you|i) (?:decided|go with|use)"
)

ENGLISH_DECISIONS: Final = Wording.of(
    rf"[DdLlIiWwAaSsOoCcPpGgFf]{WORD_START}", _ENGLISH, unless=_NO_DECISION
)
KOREAN_DECISIONS: Final = Wording.of(
    r"[결기로확대걸냥만게불소환문매약제택청행]", _KOREAN, unless=_NO_DECISION
)

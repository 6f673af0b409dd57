"""How rules are worded in English and Korean: what must be done, and what must not."""

from __future__ import annotations

import re
from typing import Final

from memory_core.facts.phrasing import ALL, GIVERS, RULERS, USER, WORD_START, Cue, Wording, ending

_START: Final = (
    r"\A|[.,;:!(\"'\u201c\u2018\-\u2013\u2014*>\u2022#`|)\]。]|\d\.|(?<![a-z])"
    r"(?:please|pls|and|but|so|just|then|or|also"
    r"|instead|again|otherwise|however|you must|thus|therefore)"
)
_ORDER_ONLY: Final = ending(rf"(?:{_START})\s{{0,8}}")
_MODAL: Final = r"(?<![a-z])(?:must|should|will|shall|you|to|ever|absolutely|is|are|be)"
_ORDER: Final = ending(rf"(?:{_START}|{_MODAL})\s{{0,8}}")
_TEAM: Final = r"(?<![a-z])(?:we|it|they|people|nobody|users?|agents?|customers?)"
_ORDER_OR_TEAM: Final = ending(rf"(?:{_START}|{_MODAL}|{_TEAM})\s{{0,8}}")
_WISH: Final = ending(
    r"(?<![a-z])(?:want|need|ask(?:ed)?|told|tell|prefer|like|remember|rather"
    r"|careful|sure|try|reminded?)"
    r"(?: (?:you|me|us|them))?\s{1,4}"
)
_NOT_STATUS: Final = ending(r"(?:\d{3}|http|error|status|code|response|[:\"'])\s{0,4}")
_BULLET: Final = ending(r"\s{0,8}(?:[-*\u2022]|\d{1,2}[.)])\s{1,4}|\A|[.;!] ")
_NO_PARTICLE: Final = re.compile(r"(?:[지그다얼랜번동천백십억\d]|\s|\A)\Z")
_STATE: Final = (
    r"have|has|had|see|know|think|want|need|believe|remember|understand|mind|care"
    r"|like|recall|seem|appear|exist"
    r"|work|works|worry|hesitate|get|got|feel|agree|match|support|bother|live|own"
    r"|really|even|necessarily"
    r"|actually|provide|contain|fit|currently|yet|panic|be (?:sorry|shy|afraid)"
)
_PAST: Final = (
    r"(?:[a-z]{2,20}(?:ed|s)|get|got|had|saw|heard|went|came|did|knew|made|told|said"
    r"|thought|found|gave|paid|sent|was"
    r"|were|took|been|mind|again|knew|felt|ran|seen|done|really|ever|even|quite"
    r"|happen|seem|work)(?![a-z])"
)
_ENGLISH: Final = (
    Cue(
        rf"(?<=[Dd])(?:o(?:n['\u2019]?t| not| NOT)|O NOT|ON['\u2019]T) (?!(?:{_STATE})"
        r"(?![a-z]))(?=[A-Za-z])",
        ALL,
        _ORDER_ONLY,
    ),
    Cue(rf"(?<=[Nn])(?:ever|EVER)(?= \**[a-zA-Z])(?! (?:{_PAST}))", ALL, _ORDER_OR_TEAM),
    Cue(
        r"(?<=[Mm])(?:ust|UST)(?:n['\u2019]t| not| NOT)? (?!have|be (?:an? (?:typo"
        r"|mistake|bug|joke|misunderstanding|problem|reason|way)"
        r"|some|because|why|wrong|mistak|confus|tired|kidding|joking|nice|hard|that"
        r"|something|due|it(?![a-z])|related|very|so )"
        r"|see|admit|say|apolog)",
        ALL,
        None,
        ending(r"(?<![a-z])there\s{1,4}"),
    ),
    Cue(r"(?<=[Mm])ustn['\u2019]t ", ALL),
    Cue(r"(?<=[MmCc])(?:ay|an) only |(?<=[Mm])ay not (?=be [a-z]{3,}ed)", GIVERS),
    Cue(r"(?<=[CcMm])(?:annot|an not|ay not|an['\u2019]t) (?=[a-z])", RULERS),
    Cue(r"(?<=[Ss])hould(?:n['\u2019]t| not| never| only| always) ", ALL),
    Cue(
        r"(?<=[Yy])ou (?:should|need to|have to|are (?:not )?(?:allowed|permitted"
        r"|required))(?![a-z])",
        RULERS,
    ),
    Cue(
        r"(?<=[Oo])(?:nly|NLY) (?:if|when|after|with|by|for|use|on|in|from|change|edit"
        r"|touch|to|read|write|run|be|the"
        r"|one|once|during|between|through|via|at|ask|answer|respond|reply|return|output"
        r"|give|book|cancel|pay|send|work"
        r"|make|do|add|create|include|modify|update|call)(?![a-z])",
        ALL,
        ending(
            r"(?:\A|[.,;:!(\-\u2013\u2014*\u2022|]|\d\.|(?<![a-z])(?:please|and|but|so|just"
            r"|then|must|should|may|can|will|be|is|are|you|want"
            r"|allowed|permitted|valid|available|possible|d like|need|prefer|eligible|used?"
            r"|work|run|apply|deploy|cancel|refund"
            r"|book|pay|change)[a-z]{0,4})\s{1,4}|\A"
        ),
        ending(
            r"(?<![a-z])(?:not|if|it['\u2019]s|that['\u2019]s|there (?:is|are)|i['\u2019]m"
            r"|was|were|the)\s{1,4}"
        ),
    ),
    Cue(
        r"(?<=[Oo])nly(?=[.!](?:\s|\Z)|[ \t]{0,3}(?:\n|\Z))",
        GIVERS,
        None,
        ending(r"(?<![a-z])(?:not|the|necessary|read|write|if)[ -]{1,4}"),
    ),
    Cue(
        r"(?<=[Oo])nly(?=[ ).])", RULERS, None, ending(r"(?<![a-z])(?:not|the|read|write)[ -]{1,4}")
    ),
    Cue(
        r"(?<=[Dd])o(?:n['\u2019]?t| not) want (?:to(?! (?:bother|be (?:rude|a )))|you"
        r"|any|the|an?|travel|insurance|it)(?![a-z])|(?<=[Oo])nly (?:want|need"
        r"|interested)(?![a-z])",
        USER,
        ending(
            r"(?<![a-z])(?:i|we|i['\u2019]m|i am)(?: (?:really|actually|definitely|still"
            r"|also|absolutely))?\s{1,4}"
        ),
    ),
    Cue(
        r"(?<=[Aa])(?:lways|LWAYS) (?=[a-zA-Z`*])(?!(?:the|a|an|been|in|there|so|that"
        r"|this|[a-z]{2,20}(?:ing|ed|[^s]s))(?![a-z]))",
        ALL,
        _ORDER,
        ending(r"(?<![a-z])(?:is|are|was|be|to)\s{1,4}"),
    ),
    Cue(
        r"(?<=[Nn])o (?:more|fewer|less|later|longer|earlier) than |(?<=[Aa])t most "
        r"(?=[\d`$€£₩a-z])|(?<=[Nn])ot (?:to )?exceed"
        r"|(?<=[Mm])ust be (?:under|below)|(?<=[Mm])axim(?:um)? (?:of|is) \d",
        GIVERS,
    ),
    Cue(
        r"(?<=[Ww])ithout (?:asking|my|permission|approval|confirm|checking with|telling"
        r"|explicit|prior|user|written"
        r"|being asked|consent|first|chang|touch|modify|break|delet|having to|involv"
        r"|remov)|(?<=[Uu])n(?:der no circumstances|less (?:I|the user|you are) (?:say"
        r"|ask|told|explicitly|approve))",
        ALL,
    ),
    Cue(
        r"(?<=[Ff])orbidden|(?<=[Pp])rohibited|(?<=[Nn])ot (?:allowed|permitted)|"
        r"(?<=[Oo])ff[- ]limits",
        GIVERS,
        None,
        _NOT_STATUS,
    ),
    Cue(
        r"(?<=[Ll])eave (?:[^.\n]|\.(?=\w)){1,60}?"
        r" (?:alone|untouched|unchanged|as (?:it )?is)(?![a-z])",
        GIVERS,
        _ORDER_ONLY,
    ),
    Cue(r"(?<=[Nn])ot to (?=[a-z])(?!be confused|mention)", GIVERS, _WISH),
    Cue(
        r"(?<=[MmEe])(?:ake sure|nsure) (?=[a-z])|(?<=[Bb])e (?:sure|careful) (?:to|not)",
        GIVERS,
        _ORDER_ONLY,
    ),
    Cue(r"(?<=[Aa])void (?=[a-z])|(?<=[Rr])efrain from ", GIVERS, _ORDER_ONLY),
    Cue(
        r"(?<=[Nn])(?:o|O) (?:new|other|additional|extra|changes?|external|third-party"
        r"|network|force|direct|breaking)(?![a-z])(?! [^.\n]{0,40}(?:needed|necessary"
        r"|required|found|questions?|issues?|errors?|problems?))",
        GIVERS,
        _BULLET,
    ),
)
_KOREAN: Final = (
    Cue(
        r"(?<=지) ?(?:는 |도 |를 )?(?:마(?:세요|십시오|시[고기오]|라|요|[.!,]|(?=\s"
        r"|\Z))|말(?:고(?! 싶)|아|것"
        r"|라|자|도록|기|(?=\s|\Z)))",
        ALL,
    ),
    Cue(r"(?<=금)지(?!\S{0,2} ?(?:해제|되었던))", ALL),
    Cue(r"(?<=절)대(?:로|,)?+ ?+(?!적|값|경로|좌표|다수|아니|아냐|그럴|참조|주소|평가)", ALL),
    Cue(r"(?<=반)드시", ALL),
    Cue(r"(?<![가-힣].)(?<=꼭) (?!그런|그렇|맞|같|좀|한번쯤|저렇)", GIVERS),
    Cue(r"(?:(?<=면)|(?<=는)|(?<=은)|(?<=상)(?:은|의)?) 안 ?(?:돼|되(?!면|나)|됩|된|됨)", ALL),
    Cue(r"(?<=이)상은? 안 ", GIVERS),
    Cue(
        r"(?<=[야해])(?<!알아야)(?<!늦춰야)(?<![가와봐]야) (?:합니다|해요|함|한다"
        r"|됩니다|돼요|된다|해(?=[.!\s]|\Z))",
        ALL,
    ),
    Cue(
        r"(?<=만) (?=[^\n.?!]{0,40}?(?:주세요|주십시오|하세요|하십시오|쓰세요|해줘"
        r"|해 줘|하자|써 ?줘|가능|사용합니다|합니다"
        r"|됩니다|바랍니다|할 것|부탁))",
        GIVERS,
        None,
        _NO_PARTICLE,
    ),
    Cue(r"(?<=만) (?=[^\n.?!]{0,40}?(?:니다|한다|된다|것))", RULERS, None, _NO_PARTICLE),
    Cue(
        r"(?<=까)지만|(?<=넘)(?:지|기지|으면) (?:않|말|마|안)|(?<=최)대 (?=\d)|"
        r"(?<=이)내(?:로|에만?) |(?<=않)"
        r"(?:아야|도록|게 해)",
        GIVERS,
    ),
    Cue(r"(?<=지) 않(?:습니다|는다|음(?=[.\s]|\Z))", RULERS),
    Cue(r"(?<=말)아 ?(?:주|줘)", ALL),
)
_NO_RULE: Final = re.compile(
    r"(?i)걱정(?:은|하지|은 하지)? ?(?:마|말)|신경 ?쓰지 ?(?:마|말)|미안해하지"
    r"|부담 ?(?:갖|가지)지|아니(?:다|에요|어도"
    r"|야)(?!\S)"
    r"|것은 아니|건 아니|말아야 할 |않아도 (?:돼|되|됩|괜찮)|필요(?:는|가)? ?없"
    r"|해야 할지|해야 하나|모르겠|야 하(?:나|는지|죠)\?"
    r"|(?:don['\u2019]t|do not) (?:worry|hesitate)|never ?mind|must be (?:a )?"
    r"(?:typo|mistake)|must have been"
)
_QUOTING: Final = re.compile(
    r"(?i)(?<![a-z])(?:you(?:['\u2019]ve| have)? (?:said|asked|told|want(?:ed)?"
    r"|mentioned|specified|required?|requested|stated)"
    r"|your (?:own |ground |strict )?(?:rules?|instructions?|request|constraints?"
    r"|polic|wish|requirement|condition)|as (?:you )?(?:requested|instructed|agreed)"
    r"|per (?:your|the|our)|according to|polic(?:y|ies)|(?:ground )?rules?(?![a-z])"
    r"|instruct|constraint|not allowed|requirements?"
    r"|the user (?:said|asked|wants?|told))|말씀하신|요청하신|지시|하라고|하셨"
    r"|규정|정책|원칙|규칙|조건|약관|요구"
)

ENGLISH_RULES: Final = Wording.of(
    rf"[DdNnMmCcSsYyOoAaWwUuFfPpLlEeBbRr]{WORD_START}", _ENGLISH, unless=_NO_RULE, quoting=_QUOTING
)
KOREAN_RULES: Final = Wording.of(
    r"[지금절반꼭면는은상이야해만까넘최않말]", _KOREAN, unless=_NO_RULE, quoting=_QUOTING
)

"""The phrases by which people ask for something to be remembered."""

import re
from dataclasses import dataclass

from plimsoll.memory.types import MemoryType

_LEAD = (
    r"^(?:(?:ok(?:ay)?|yes|yep|no|nope|right|and|also|but|so|well|hey|btw|by the way|one more thing"
    r"|important|note|please|fyi|alright|sorry|actually|then)[\s,:;.!-]+){0,3}(?:please\s+)?"
)


CORRECTION = "correction"
"""The name of the patterns with which a person corrects the agent."""


WHEN = (
    r"(?:(?:yesterday|today|earlier(?: today)?|just now|recently|last (?:week|month|year|night)"
    r"|(?:this|yesterday|last) (?:morning|afternoon|evening|week|sprint)"
    r"|the (?:other day|day before yesterday)|(?:back )?in (?:january|february|march|april|may|june"
    r"|july|august|september|october|november|december|20\d\d)"
    r"|(?:on |last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:on )?\d{4}-\d\d-\d\d"
    r"|(?:\d+|an?|two|three|a few|some) (?:hour|day|week|month|year)s? ago"
    r"|(?:in|at|after|during) (?:the|our|yesterday's|today's|last week's) [\w-]+)"
    r"(?:\s+(?:morning|afternoon|evening))?[\s,:]+){1,2}"
)
"""An adverbial of time or place at the start of a sentence about a decision."""
_WHEN_GERMAN = (
    r"(?:gestern|vorgestern|heute|neulich|vorhin|kürzlich|damals|eben|gerade"
    r"|(?:letzte|vorige|diese)[nsmr]? (?:woche|monat|jahr|nacht|mal|\w+tag)|(?:am|letzten) \w+tag"
    r"|vor (?:\d+|ein(?:er|em)|zwei|drei|ein paar|einigen)"
    r" (?:stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)"
    r"|(?:im|in|bei|nach) (?:der|dem|unserem|unserer)? ?\w+)"
    r"(?:\s+(?:früh|morgen|vormittag|mittag|nachmittag|abend))?\s+"
)
_DECIDED_GERMAN = r"(?:beschloss(?:en)?|vereinbarten?|entschied(?:en)?|einigten)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A phrase at the start of a sentence."""

    name: str
    phrase: re.Pattern[str]
    """Its group ``what`` is the text to remember; without it, the whole sentence."""
    type: MemoryType | None
    """None: `type_of` decides by the words."""
    asked: bool = False
    """Whether the person explicitly asks for it to be remembered."""
    clear: bool = True
    """Whether it can be understood alone, so that no person has to review it first."""


def _pattern(
    name: str,
    phrase: str,
    type_: MemoryType | None,
    *,
    asked: bool = False,
    clear: bool = True,
) -> Pattern:
    return Pattern(
        name=name,
        phrase=re.compile(_LEAD + phrase, re.IGNORECASE),
        type=type_,
        asked=asked,
        clear=clear,
    )


PATTERNS = (
    _pattern(
        "remember",
        r"(?:can you |could you |i want you to |you should )?(?:always )?"
        r"(?:remember|keep in mind|bear in mind|don'?t forget|do not forget|never forget"
        r"|make a note|take note|note down|memori[sz]e|save (?:this|that) (?:to|in) your memory)"
        r"(?:\s+(?:that|this|of the fact that))?\s*[:,-]?\s+(?!when\b|how\b|if\b|the time\b)"
        r"(?P<what>.+)",
        None,
        asked=True,
    ),
    _pattern(
        "remember",
        r"for (?:the record|future reference|next time)\s*[:,-]?\s+(?P<what>.+)",
        None,
        asked=True,
    ),
    _pattern(
        "rule",
        r"(?:always|never)\s+(?!mind\b|nice\b|again\b|good\b|happy\b).+",
        MemoryType.FEEDBACK,
    ),
    _pattern(
        "rule",
        r"(?:from now on|in (?:the )?future|going forward|whenever|every time)\b[, ].+",
        MemoryType.FEEDBACK,
    ),
    _pattern(
        "rule",
        r"(?:we|you|one|i)\s+(?:always|never|must always|must never|should always"
        r"|should never)\s+.+",
        MemoryType.FEEDBACK,
    ),
    _pattern(
        "preference",
        r"(?:i|we)\s+(?:strongly\s+)?(?:prefer|like to have|dislike|hate)\s+.+",
        MemoryType.USER,
    ),
    _pattern(
        "preference",
        r"(?:my name is|i am an?|i'm an?|i work (?:as|on|in|at)|call me)\s+.+",
        MemoryType.USER,
    ),
    _pattern(
        "decision",
        rf"(?:{WHEN})?(?:it (?:was|(?:has|had) been)|it's been"
        r"|(?:we|i|the team|my team(?: and i)?|we all|everyone|you and i)"
        r"(?:'ve|'d| have| had| has)?)\s+"
        r"(?:(?:now|just|finally|also|all)\s+)?"
        r"(?:decided|agreed|chosen|chose|settled on|opted)\b.+",
        MemoryType.DECISION,
    ),
    _pattern("decision", r"(?:decision|decided|agreed)\s*:\s*.+", MemoryType.DECISION),
    _pattern(
        "decision",
        r"let'?s\s+(?:go with|stick (?:with|to)|settle on)\s+.+",
        MemoryType.DECISION,
        clear=False,
    ),
    _pattern(
        CORRECTION,
        r"(?:that'?s|this is|it'?s|you'?re|you were)\s+(?:wrong|not right"
        r"|incorrect|not what)\b.+",
        MemoryType.FEEDBACK,
        clear=False,
    ),
    _pattern(CORRECTION, r"(?:stop|avoid|quit)\s+\w+ing\b.+", MemoryType.FEEDBACK, clear=False),
    _pattern(
        CORRECTION,
        r"(?:don'?t|do not|you mustn'?t|must not)\s+.+",
        MemoryType.FEEDBACK,
        clear=False,
    ),
    _pattern(
        CORRECTION,
        r"(?:use|run|write|call|take)\s+.+?(?:,\s*not\s+|\s+instead of\s+"
        r"|\s+rather than\s+).+",
        MemoryType.FEEDBACK,
        clear=False,
    ),
    _pattern(CORRECTION, r"i (?:said|told you|meant|asked)\b.+", MemoryType.FEEDBACK, clear=False),
    _pattern(
        "confirmation",
        r"(?:exactly|perfect|correct|great|good|nice|excellent)[\s,:;.!-]+"
        r"(?:keep|that'?s (?:how|the way|what|exactly)|this is (?:how|the way|what)|do it like"
        r"|stay with|continue to)\b.+",
        MemoryType.FEEDBACK,
        clear=False,
    ),
    _pattern(
        "confirmation",
        r"(?:keep (?:doing|using|it)|that'?s (?:how|the way) (?:i|we))\b.+",
        MemoryType.FEEDBACK,
        clear=False,
    ),
    _pattern(
        "remember",
        r"(?:bitte\s+)?(?:merke?(?: dir)?|denke? (?:bitte )?daran|vergiss (?:bitte )?nicht)\b"
        r"(?:\s+bitte)?\s*[,:]?\s*(?:dass\s+)?(?P<what>.+)",
        None,
        asked=True,
    ),
    _pattern(
        "rule",
        r"(?!.*\b(?:ha(?:t|be|tte|ben|tten)|wa(?:r|ren)|ist|sind|wurden?|schl(?:ä|u)gt?|funktionier\w+"
        r"|klapp\w+|fehlt|geht|kommt immer)\b)"
        r".*\b(?:immer|nie(?:mals)?|stets|ab (?:jetzt|sofort)|künftig|zukünftig|in zukunft"
        r"|von (?:nun|jetzt) an|auf keinen fall)\b.+",
        MemoryType.FEEDBACK,
    ),
    _pattern(
        "preference", r"(?:ich|wir)\s+(?:bevorzugen?|mag|mögen|hassen?)\s+.+", MemoryType.USER
    ),
    _pattern(
        "decision",
        r"(?:(?:wir|ich|das team)\s+ha(?:ben?|t|tten?)"
        rf"|{_WHEN_GERMAN}ha(?:ben?|t|tten?)\s+(?:wir|ich|das team)|es (?:wurde|ist)"
        rf"|{_WHEN_GERMAN}(?:wurde|ist))\b"
        r".*\b(?:beschlossen|entschieden|geeinigt|vereinbart|festgelegt)\b.*",
        MemoryType.DECISION,
    ),
    _pattern(
        "decision",
        rf"(?:(?:wir|ich)\s+{_DECIDED_GERMAN}|{_WHEN_GERMAN}{_DECIDED_GERMAN}\s+(?:wir|ich))\b.+",
        MemoryType.DECISION,
    ),
    _pattern(
        "remember",
        "(?P<what>.+?)(?:こと)?(?:を|は)?(?:覚えておいて|忘れないで)(?:ください|下さい)?[。.]?$",
        None,
        asked=True,
    ),
    _pattern(
        "rule",
        "(?=.*(?:必ず|常に|絶対に|今後|これから|以後)).+"
        "(?:ください|下さい|こと|する|しない|禁止|お願いします|するな)[。.]?$",
        MemoryType.FEEDBACK,
    ),
    _pattern("preference", "(?:私|僕|俺)は.+(?:好き|嫌い)(?:です)?[。.]?$", MemoryType.USER),
    _pattern(
        "decision",
        ".+(?:(?:ことに|と)(?:決め(?:ました|た)|決ま(?:りました|った)|決定し(?:ました|た)|しました)"
        "|ことに(?:した|なりました|なった))[。.]?$",
        MemoryType.DECISION,
    ),
)

LISTED = _pattern("rule", r".+", MemoryType.FEEDBACK)
"""A rule by its position: in a list whose heading announces rules."""

_TYPES = (
    (
        MemoryType.PROCEDURE,
        re.compile(
            r"^(?:how to|to \w+[^.:]{0,60}[,:]\s*(?:first|run)|steps? (?:to|for))\b", re.IGNORECASE
        ),
    ),
    (MemoryType.USER, re.compile(r"\b(?:i|my|me|mine|i'm|i've)\b", re.IGNORECASE)),
    (
        MemoryType.DECISION,
        re.compile(r"\b(?:decided|agreed|decision|chose|chosen)\b", re.IGNORECASE),
    ),
    (
        MemoryType.REFERENCE,
        re.compile(
            r"https?://|\b(?:documented|described|wiki|ticket|dashboard|see)\b", re.IGNORECASE
        ),
    ),
    (
        MemoryType.FEEDBACK,
        re.compile(r"\b(?:always|never|don't|do not|must|stop|avoid)\b", re.IGNORECASE),
    ),
)


def type_of(text: str) -> MemoryType:
    """Classify a text by its words."""
    found = (kind for kind, words in _TYPES if words.search(text))
    return next(found, MemoryType.PROJECT)

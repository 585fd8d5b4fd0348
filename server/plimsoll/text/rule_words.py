"""The words that separate the parts of a rule: its values, its subject, the rest."""

import re
from types import MappingProxyType

FRAME = re.compile(
    r"\b(?:i|we)(?:'d| would)? (?:(?:now|also|really) )?(?:want|like|need|expect|prefer|ask)"
    r" (?:you|us|everyone|everybody) to\b"
    r"|\bget into the habit of\b|\bmake (?:sure|it a habit)(?: (?:that|to))?\b"
    r"|\b(?:it is|it'?s) (?:important|essential|crucial) (?:that|to)\b"
    r"|\b(?:start|begin) (?:to (?=[a-z]+\b)|(?=[a-z]+ing\b))"
    r"|\b(?:from (?:now|here|today|this point) on(?:wards?)?|(?:going|moving) forward"
    r"|in (?:the )?future|ab (?:jetzt|sofort)|von (?:nun|jetzt) an|(?:in )?zukunft|künftig|immer)\b"
    r"|\b(?:and|but|also|so|now|then|first|second|third|first(?:ly)?|second(?:ly)?|third(?:ly)?"
    r"|additionally|finally|lastly|please)\b,?",
    re.IGNORECASE,
)
"""Phrases that express a wish, and not what is wished."""
KINDS = MappingProxyType(
    {
        "indentation": "tab space leerzeichen",
        "quotes": "single double einfache doppelte",
        "package manager": "npm yarn pnpm bun deno",
        "installer": "pip uv poetry pipenv conda",
        "test runner": "pytest unittest nose",
        "script test runner": "jest vitest mocha",
        "language": (
            "english german french spanish italian portuguese dutch russian chinese japanese korean"
            " englisch deutsch französisch spanisch italienisch japanisch chinesisch"
        ),
        "variety": "british american",
        "merge": "merge rebase squash",
        "spelling": "camel snake kebab pascal camelcase snakecase",
        "formatter": "black ruff yapf",
        "linter": "eslint biome",
        "database": "sqlite postgres postgresql mysql",
        "notation": "json yaml toml",
        "zone": "utc local",
        "shell": "bash zsh fish",
        "length": "short long kurz lang",
        "brightness": "dark light",
        "tone": "formal informal",
    }
)
"""Kinds of alternative words, of which one replaces another."""
UNSPACED_KINDS = MappingProxyType(
    {
        **dict.fromkeys(("タブ", "スペース"), "indentation"),
        **dict.fromkeys(("シングルクォート", "ダブルクォート"), "quotes"),
        **dict.fromkeys(
            (
                *("日本語", "英語", "ドイツ語"),
                *("フランス語", "中国語", "中文", "英文"),
            ),
            "language",
        ),
    }
)
"""The same in Japanese and Chinese."""
COUNTS = MappingProxyType(
    {
        "two": "2",
        "three": "3",
        "four": "4",
        "five": "5",
        "six": "6",
        "eight": "8",
        "zwei": "2",
        "drei": "3",
        "vier": "4",
        "fünf": "5",
        "sechs": "6",
        "acht": "8",
    }
)
"""Numbers in words."""
SYNONYMS = MappingProxyType(
    {
        "start": "begin begins beginnen prefix prefixes präfix anfangen",
        "end": "finish finishes suffix suffixes enden",
    }
)
"""Words for the position of a value in a name, by their representative."""
OPEN = frozenset({"literal", "place", "name"})
"""Kinds with any number of values: two of them can hold at once, unless only one can be."""
_CHOSEN = (
    r"(?:(?<=\buse )|(?<=\busing )|(?<=\bchoose )|(?<=\bswitch to )|(?<=\bverwende )"
    r"|(?<=\bbenutze )|(?<=\bnutze ))"
)
_NAME = r"[\w.+#@-]+(?: [\w.+#-]+)?"
_AS = r" (?:as (?:the|our|your|my|a|an)|als) \w"
VALUE = re.compile(
    r"(?P<literal>(?<![A-Za-z0-9_])'[^'\n]{1,60}'(?![A-Za-z0-9_])|\"[^\"\n]{1,60}\"|`[^`\n]{1,60}`"
    "|\u300c[^\u300d\n]{1,60}\u300d|\u201e[^\u201c\n]{1,60}\u201c|\u201c[^\u201d\n]{1,60}\u201d)"
    r"|(?P<spelling>(?<![A-Za-z])(?:upper|lower|title|camel|snake|kebab|pascal|sentence|constant"
    r"|screaming)(?:[\s_-]?snake)?[\s_-]?case(?![A-Za-z])"
    "|(?:スネーク|キャメル|パスカル|ケバブ)ケース|大文字|小文字|(?:groß|klein)(?=geschrieben|buchstabe))"
    rf"|(?P<role>{_CHOSEN}{_NAME}(?={_AS})"
    rf"|(?<![\w-]){_NAME}(?= als \w[^.]*\b(?:verwenden|benutzen|nutzen|einsetzen)\b)"
    r"|[A-Za-z][\w.+#-]*(?=を[^、。]{1,20}として))"
    rf"|(?P<purpose>{_CHOSEN}(?-i:[A-Z])[\w.+#-]*(?= for\b)"
    r"|(?-i:[A-Z])[A-Za-z0-9.+#-]*(?=を使)|(?<=\bto )(?-i:[A-Z][A-Z0-9_]+)\b"
    r"|(?-i:[A-Z])\w+(?= style\b))"
    r"|(?P<place>(?<![A-Za-z0-9_/])(?:[A-Za-z0-9_.-]+/)+[A-Za-z0-9_.-]*"
    r"|(?<![A-Za-z0-9_])[A-Za-z0-9_]+\.[a-z]{1,4}(?![A-Za-z0-9_]))"
    r"|(?P<number>(?<![A-Za-z0-9_.])\d+(?:[.,]\d+)*(?:%|[a-z]{1,2}\b)?(?![A-Za-z0-9_]))"
    rf"|\b(?P<count>{'|'.join(COUNTS)})\b"
    rf"|(?P<unspaced>{'|'.join(UNSPACED_KINDS)})"
    r"|(?P<word>[A-Za-z\u00c0-\u017e]+)",
    re.IGNORECASE,
)
"""Possible values; a word is one if it belongs to a kind."""
SINGLE = re.compile(
    r"\b(?:starts?|starting|begins?|beginning|ends?|ending|finish|prefix\w*|suffix\w*)\b"
    r"|\b(?:named|called)\b|^\W*(?:name|call)\b|\bas (?:the|our|your|my|a|an)\b"
    r"|\b(?:use|using|switch to) (?:the )?\ue000(?: \w+)? for\b|\bset\b.*\bto\b"
    r"|\b(?:format|style)\b|には\ue000を使"
    r"|\b(?:put|place|store|save|lives?|belongs?|goe?s?)\b"
    r"|\b(?:beginn\w*|anfangen|fäng\w*|end(?:en|et|e)|präfix\w*|suffix\w*|heiß\w*|nenn\w*|leg(?:e|en|st|t)?"
    r"|gehör\w*|als)\b"
    "|始め|始ま|終わ|終え|接頭|接尾|として|置い|入れ",
    re.IGNORECASE,
)
"""Things that can have one value only: a beginning, an end, a name, a place, a role; U+E000 is
it."""
ADDS = re.compile(
    r"\b(?:as well|too|in addition|on top of that|besides|auch|außerdem|zusätzlich)\b|も使|加えて",
    re.IGNORECASE,
)
SCOPE = re.compile(
    r"\b(for|in|on|within|inside|für|bei|im)\s+((?:(?!for\b|in\b|on\b|with\b)[\w'-]+\s*){1,5})",
    re.IGNORECASE,
)
"""Words of scope."""
SCOPE_BEFORE = re.compile(
    r"\b(?:for|in|on|within|inside|für|bei|im)\s+(?:(?:the|all|our|der|den|die)\s+)?(?:\w+\s+)?\Z",
    re.IGNORECASE,
)
SCOPE_BEHIND = re.compile("(?:の)?(?:ファイル|コード)?では|の")
RELATION = re.compile(
    r"\b(?:before|after|until|unless|while|during|without|when|if|vor|nach|bis|während|ohne)\b"
    "|前に|後に",
    re.IGNORECASE,
)
"""Words of time and condition."""
UPPER = re.compile(
    r"\b(?:under|below|at most|up to|(?:no|not) (?:more|longer|larger) than|max(?:imum)?"
    r"|exceed|limit(?:s|ed)?|begrenz\w*|unter|höchstens|maximal|bis zu)\b|以内|以下|未満|まで",
    re.IGNORECASE,
)
LOWER = re.compile(
    r"\b(?:over|above|at least|(?:no|not) (?:less|fewer) than|min(?:imum)?|über|mindestens)\b"
    r"|以上",
    re.IGNORECASE,
)
UNSPACED_ORDER = re.compile(
    "今後は?|これからは?|以後は?|必ず|常に|いつも"
    "|してください|てください|ください|下さい"
    "|お願いします|すること|こと\u3002|て(?=\u3002|\\Z)|します"
    "|使っ|使用|を"
)
"""Endings that make a Japanese sentence an order."""
EMPTY = re.compile(
    r"(?:us(?:e|es|ed|ing)|keep|make|sure|prefer|avoid|always|never|not?|don'?t|want|please|now"
    r"|future|forward|going|moving|actual(?:ly)?|instead|rather|forget|said|say|told|meant"
    r"|allow(?:ed)?|touch|edit|change|modify|alter|rules?|remember|mind|anymore|longer|ever|again|ok"
    r"|okay|fine|free|feel|let|things?|everything|anything|stop|must(?:n't)?|shall|need|without"
    r"|ask(?:ing)?|me|permission|first|cannot|can't|may|really|correction|wait|sorry|hm+|nope"
    r"|scratch|strike|yes|yeah|earlier|before|about|what|still|instructions?|restriction|ban|limit"
    r"|times?|everywhere|folder|directory|ensure|like|i'd|we'd|habit|nein|doch|lieber|keine?n?|bitte"
    r"|verwende[nt]?|benutze?n?|nutze?n?|nicht|immer|nie|stets|grundsätzlich|auf|mit|ab|jetzt|nun"
    r"|von|sofort|sondern|nur|noch|mehr|du|darfst|kannst|sollst|soll(?:en)?|sollte[nt]?|müssen"
    r"|muss|künftig|zukünftig|zukunft|sein|sind|ist|werden|wird|der|die|das|den|dem|des|ein"
    r"|eine[nrms]?|alle[nrms]?|und)\Z"
)
"""Words that mark an order and are not its subject."""

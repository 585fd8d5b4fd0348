"""The words of standing instructions: to give one, to withdraw it, or to permit something.

English is covered best; other languages only by their plainest words.
"""

import re


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(forms), re.IGNORECASE)


_START = (
    r"(?:^|[,;:\u2013\u2014]\s*|\b(?:and|but|also|so|then|ok(?:ay)?|please|just|actually|no)[\s,]+)"
    r"(?:please\s+)?"
)
"""Where the verb of an order can be: at the start, or after a comma or a small word."""
_PAST = (
    r"(?:been|saw|had|did|went|got|knew|found|came|ran|made|took|gave|wrote|told|said|kept|left"
    r"|thought|felt|\w+[^s\W]s|\w+ed|\w+ing)\b"
)
"""Words after "always" or "never" that make the sentence a report."""
_EVER = (
    r"from (?:now|here|today|this point) on(?:wards?)?",
    r"going forward|in (?:the )?future\b|for the (?:rest|remainder) of|at (?:all|any) times?",
    r"under no circumstances|without exception|no matter what|as a (?:general )?rule|by default",
    r"(?:every|each) time|(?:don'?t|do not) ever|no longer|any ?more\b|only ever",
    r"(?:^|[,;:]\s*)(?:(?:and|but|also|please|so|now),? )*(?:keep in mind|remember that)\b",
    r"\b(?:rules?|conventions?|polic(?:y|ies))\b[^.]{0,30}:",
    r"in this (?:project|repo(?:sitory)?|code ?base|session|conversation|folder|workspace)",
    r"\bunless (?:i|we|you)\b|\buntil (?:i|we|told)\b",
)
_IN_GENERAL = (
    r"\b(?:before|after) (?:every|each|all|any)\b",
    (
        r"\b(?:for|in|with|on|to) (?:every|each|all|any) (?:\w+ ){0,2}?"
        r"(?:change|file|function|method|class|module|test|commit|branch|release|request|reply|answer|message|name|variable|line"
        r"|step|task|page|endpoint|error|script|comment|package|import)"
    ),
    (
        r"(?:^|[,;:]\s*|\bthat )(?:\w+ ){0,2}?(?:all(?! right)|every|each|any)\b[^.]{1,40}"
        r"\b(?:must|should|needs?|ha(?:s|ve) to|gets?|goe?s?)\b"
    ),
    r"whenever (?!possible|needed|necessary|you (?:can|need|want|like))",
)
"""Words of generality, which make an order hold from now on."""
_ALWAYS = (
    rf"{_START}(?:always|never)\s+(?!(?:mind|nice|again|good|happy|strive|stay|encourage|welcome|feel|want|open|here|look)\b|{_PAST})\w",
    rf"\b(?:you|we|one|should|must|to|will|shall|that)\s+(?:always|never)\s+(?!(?:strive|stay|encourage|want|look|feel)\b|{_PAST})\w",
    r"\b[a-z]+s\s+(?:should\s+|must\s+)?(?:always|never)\s+(?!been\b|\w+(?:ed|ing)\b)\w",
    r",\s*(?:always|never)\W*$",
)
_MUST = (
    (
        r"\b(?<!it )(?<!this )(?<!that )(?<!there )(?<!i )(?:must(?:n'?t)?|shall)\b"
        r"(?! (?:have|be (?:a|the|able|because|some\w*|wrong|due"
        r"|(?-i:[A-Z])\w*))\b)"
    ),
    r"\b(?:you|we)\s+(?:should|need|have|ought)(?:n'?t)?\s+(?:to\s+)?(?:always|never|only)",
    (
        r"\b(?:you|we)\s+(?:may|can|could|should|are) ?(?:not|n'?t)\b"
        r"(?! (?:see|find|believe|remember|reproduce)\b)"
    ),
    r"\b(?:is|are) (?:forbidden|prohibited|mandatory|off[- ]limits|read-only|not allowed)",
    r"\b\w+s (?:go|live|belong) (?:in|into|under|below)\b",
    r"\b(?<!it )(?<!this )(?<!that )\w+s should (?!pass|work|be (?:fine|green|fixed))\w",
)
_FORBID = (
    (
        rf"{_START}(?:do not|don'?t)\s+(?!worry|mind|bother|hesitate|forget|know|think|see\b|get it"
        r"|understand|care|need to|have to|you\b|we\b|they\b)"
    ),
    rf"{_START}(?:avoid|refrain from|stay (?:away from|out of)|hands off|no more|stop \w+ing)\b",
    rf"{_START}keep (?:away from|out of|your hands off)\b",
    rf"{_START}leave\b.{{1,40}}\b(?:alone|untouched|as (?:it is|they are))\b",
    (
        r"^(?:and |also |please )*no\s+(?!longer|problem|worries|idea|thanks|need|one|way|matter"
        r"|rush|luck|doubt|change|difference|wonder|clue|,)(?:\w+ ){0,3}?"
        r"(?:new|extra|additional|external|third[- ]party|[a-z]{3,}s)\b"
    ),
)
_FOREIGN = (
    # German, Dutch
    (
        r"\b(?:immer|nie(?:mals)?|stets|ab (?:jetzt|sofort)|künftig|zukünftig|auf keinen fall"
        r"|keinesfalls|grundsätzlich|darfst (?:du )?nicht|sollst nicht|müssen|nur noch|nicht mehr"
        r"|von (?:nun|jetzt) an|in zukunft|finger weg|(?:vor|nach|bei|für|in)"
        r" (?:jede[mnrs]?|allen?)|altijd|nooit|vanaf nu|voortaan)\b"
    ),
    r"\b(?:darf|dürfen)\b.*\b(?:höchstens|nicht|nur|keine?n?)\b",
    r"\blass\w*\b.{1,40}\b(?:in ruhe|unangetastet|unverändert)\b",
    r"^(?:bitte )?(?:verwende|benutze?|nutze?|antworte|vermeide|gebruik|vermijd|keine?n?)\b",
    r"^(?:bitte )?\w+e?\b[^.]*\b(?:nicht|keine?n?)\b",
    # French, Spanish, Portuguese, Italian
    (
        r"\b(?:toujours|jamais|désormais|dorénavant|à partir de maintenant|il faut|siempre|nunca"
        r"|jamás|a partir de ahora|de ahora en adelante|sempre|a partir de agora|d'ora in poi"
        r"|da ora in poi)\b"
    ),
    r"^(?:n'|ne )\w+[^.]*\b(?:pas|plus)\b",
    r"^(?:utilise|évite|réponds|usa|evita|responde|rispondi)\b",
    r"^(?:no|não|non) (?:us|toqu|toc|mud|cambi|modifi|borr|escrib|altere|scriv|hag|faç)\w+",
    # Russian
    r"\b(?:всегда|никогда|отныне|впредь|нельзя|запрещ\w+|обязательно)\b",
    r"^(?:не \w+(?:й|йте|и|ите)|используй\w*|избегай\w*|отвечай\w*)\b",
    # Chinese, Japanese, Korean: no spaces between words
    "永远|总是|始终|一律|从现在(?:起|开始)|今后|以后都?|不要|禁止|不许|不得|必须|务必|请勿|切勿",
    "只能|只用|請勿|必須|必ず|常に|絶対に|これから|しないで|ないでください|するな|てはいけない",
    "なければならない|だけを?使|で答えて|今後|以後|以内に|(?:ではなく|じゃなく|でなく).*て",
    "(?:こと|禁止)[\u3002.]?$|항상|절대|앞으로|지금부터|하지 ?마|마세요|금지|반드시",
)
EVER = _any(*_EVER, *_ALWAYS, *_MUST, *_FOREIGN)
"""Words that make any sentence hold from now on."""
ORDERED = _any(*_IN_GENERAL, *_FORBID)
"""Words that make it hold from now on, unless the sentence only states facts."""
_CUSTOM = (
    rf"{_START}(?:use|prefer|follow|stick (?:to|with)|limit|treat|respect|indent|prefix)\b",
    rf"{_START}(?:ask (?:me )?(?:first|before)|check with me|wait for my)\b",
    rf"{_START}work (?:only )?(?:on|in) (?:a|the) (?:branch|folder)\b",
    rf"{_START}keep (?!going|trying|working|it\b|me\b|in mind)",
    (
        rf"{_START}(?:answer|reply|respond|speak|talk|explain)\s+(?:to me\s+)?(?:only\s+)?"
        r"(?:in|with|briefly|short|as)\b"
    ),
    (
        rf"{_START}(?:write|put|name|log|format|document|test|sign|run|call|commit)\s+(?:\S+\s+){{0,4}}?"
        r"(?:all|every|each|only|before|after|in (?:english|german|french|spanish|utc|small)"
        r"|instead of|rather than)\b"
    ),
    (
        rf"{_START}(?:write|name|format)\s+(?:\w+ )?"
        r"(?:commit|commits|messages|comments|docstrings|branches)\b"
    ),
    rf"{_START}put (?:tests|files|docs|helpers|fixtures)\b|{_START}log (?:in|with|times)\b",
    rf"{_START}only \w+\b",
    (
        r"(?:^|[,;:]\s*|\b(?:and|but|so|that) )(?:i|we) (?:strongly )?(?:prefer|dislike|hate"
        r"|(?:only|always|never|don'?t|do not) (?:use|want (?!to\b)|write)|use (?!this|it\b|these))"
    ),
    r"(?:,|\band)\s+not\s+\w+\W*$|\b(?:instead of|rather than)\b",
    r"\b(?:may|can|should) (?:be|have|take) (?:at (?:most|least)|no more than|up to)\b",
    r"^(?:please )?be (?:brief|concise|terse)\b",
    # German
    r"^(?:bitte )?(?:frage? (?:mich|erst|vorher|zuerst)|halte?\b.*\b(?:unter|kurz|klein))\b",
    r"^(?:bitte )?schreibe? (?:zuerst|alle|jede|nur|kommentare|commits?)\b",
    (
        r"^(?!.*\b(?:ist|sind|steht|war)\b)(?=.*\b(?:bitte|nur|antworte?|schreibe?)\b)"
        r".*\bauf (?:deutsch|englisch|französisch|spanisch)\b"
    ),
    # Japanese
    "(?:を(?:使って|使用して)|で(?:書いて|答えて|回答して|統一して))(?:ください|下さい)",
    "は[^\u3002]{1,20}(?:にして(?:ください|下さい)|でお願いします)",
)
CUSTOM = _any(*_CUSTOM)
"""Words of customs, if the sentence names no single place."""
TASK = _any(
    r"\b(?:this|that(?! (?:all|every|each|any|your|our)\b)|these|those|the following"
    r"|the (?:first|last|next)) (?:\w+ )?(?:test|function"
    r"|file|line|bug|error|class|method|part|step|case|one|change|diff|output|command|question"
    r"|task)\b",
    r"\bhere\b|\blines? \d+|\w:\d+\b|\b(?:above|below)\W*$",
    r"\bdiese[mnrs]?\b|\bhier\b|この|その|ここ",
)
"""Words of a task that is done once, at one place."""
PASSING = _any(
    r"\b(?:for (?:now|the moment)|(?:just )?this (?:once|time|one)|today|tonight|temporarily)\b",
    r"\bonce\b(?! (?:i|you|it|the))|\b(?:right now|at the moment|as an exception|in this case)\b",
    r"\b(?:vorerst|diesmal|pour l'instant|por ahora)\b|这次|今回だけ",
)
"""Words that limit an instruction to a short time."""
WITHDRAWAL = _any(
    r"\b(?:forget|ignore|disregard|drop|scratch|cancel|withdraw|lift)\b(?! that\s*[,.;:])"
    r"\s*(?:about\s+)?(?:what i (?:said|told you)(?: before| earlier)?(?: about| on)?"
    r"|(?:the|my|that) (?:earlier )?(?:rule|instruction|restriction|ban|limit)s?"
    r"(?: about| on| of| for| against)?|about)?(?P<what>.*)",
    r"(?P<rule>.+?)\b(?:rule|restriction|ban|limit) (?:no longer|does not|doesn'?t) "
    r"(?:holds?|appl(?:y|ies)|counts?).*",
    r"\bnever ?mind(?: about)? (?P<about>.*)",
    r"\bvergiss(?:,? was ich)?(?P<vergiss>.*)|\boublie (?:ce que)?(?P<oublie>.*)",
)
OF_EARLIER = _any(
    r"\bwhat i (?:said|told)|\b(?:rule|instruction|restriction|ban|limit)s?\b",
    r"^(?:no,? )?(?:never ?mind|scratch|vergiss|oublie)\b|^forget (?:about )?the\b",
)
"""References to something said before."""
_PERMISSION = (
    r"\b(?:you|we) may\b(?! not| (?:find|see|want|need|notice))",
    r"\b(?:you|we) (?:can|could)\b(?! ?(?:not|n'?t)\b).*\b(?:(?<!for )now|again|freely)\b",
    r"\b(?:you|we) are (?:now )?(?:allowed|free) to\b|\bfeel free to\b",
    r"\b(?:it'?s|it is|that'?s) (?:now )?(?:ok(?:ay)?|fine|allowed)(?: now)? to\b",
    r"\b(?:is|are) (?:now )?(?:allowed|permitted)\b(?! not)",
    r"\bdu (?:darfst|kannst)\b(?!.*\bnicht\b)|\btu peux\b|\bpuedes\b|可以|てもいい",
)
PERMISSION = _any(*_PERMISSION)
RELEASE = _any(
    r"\b(?:you|we) (?:do(?:n'?t| not) (?:have|need) to|needn'?t)\b|\bno need to\b",
)
"""Words that release from an order."""
_CORRECTION = (
    (
        r"^(?:(?:ok(?:ay)?|hm+|sorry|oh|wait|well)[\s,.]+)*(?:no|nope|actually|correction|rather"
        r"|instead|on second thou?ght|i(?:'ve| have)? changed my mind|change of plan"
        r"|(?:scratch|strike|forget) that|doch|nein|eigentlich|non|finalement)\b"
        r"\s*[,:.;\s\u2013\u2014-](?!idea|problem|worries|longer)"
    ),
    r"\binstead\b(?! of)|\bi meant\b|\bno longer\b|\bany ?more\b|\bafter all\b",
    r"\b(?:stattdessen|doch (?:nicht|keine?n?|lieber))\b",
    r"^(?:\w+,? )?(?:not|keine?n?|nicht) [^,]+, ?(?:\w+ ){0,2}\w+\W*$",
    "改用|改为|やっぱり|やはり",
)
CORRECTION = _any(*_CORRECTION)
DENIAL = _any(
    r"\b(?:never|not|don'?t|do not|mustn'?t|no (?:new|more|longer|\w+s\b)|avoid|stop|without"
    r"|cannot|can'?t|may not|shouldn'?t|forbidden|prohibited|off[- ]limits|hands off|refrain"
    r"|untouched|alone)\b",
    r"\b(?:nie(?:mals)?|nicht|keine?n?|jamais|nunca|jamás|никогда|нельзя|nooit|niet)\b",
    "不要|禁止|不许|不得|请勿|切勿|しないで|ないでください|するな",
    "てはいけない|하지 ?마|마세요|금지",
)
REJECTED = _any(
    r"(?:,\s*(?:and )?(?:not|never|keine?n?)|\binstead of|\brather than|\bnicht|\bstatt"
    r"|^(?:\w+,? )?(?:not|keine?n?)(?=[^,]+, ?(?!please|bitte)(?:\w+ ){0,2}\w+\W*$))\s+"
    r"(?P<what>[\w./-]+(?: [\w./-]+)?)",
)
"""Words for what is not wanted."""
CONDITION = re.compile(
    r"\b(?:without|unless|until|before|after|when|whenever|if|ohne|sans|sin)\b.*", re.IGNORECASE
)
GENERAL = _any(
    *_EVER,
    *_IN_GENERAL,
    r"\b(?:always|never|every|each|(?<!at )all|any|immer|nie|toujours|jamais|siempre|nunca)\b",
    "必ず|常に|永远|总是|一律|항상",
)
PLACE = re.compile(r"[\w.-]*/[\w./-]*\w|\b\w+\.[a-z]{1,4}\b|\b[a-z]+_\w+|\b[a-z]+[A-Z]\w+")
"""A path or name, by which a sentence is about one thing."""
HEADING = _any(
    r"^\W*(?:(?:my|our|the|some|house|ground|project|coding)\s+)*(?:rules|conventions|guidelines"
    r"|constraints|standing instructions|regeln|règles|reglas)\b"
    r"(?!.*\b(?:from|of|by|says?)\b).*:\W*$",
    r"^\W*(?:please )?(?:follow|obey|respect|observe|stick to|keep to) "
    r"(?:these|my|our|the following)\b.*:\W*$",
    r"^\W*(?:from now on|always|never|going forward)\b.*:\W*$",
)
"""The heading of a list of rules."""

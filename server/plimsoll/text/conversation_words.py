"""The words of rules given in conversation: "I'd like you to start all variable names with 'z_'".

Such a sentence gives an order about things in general: all functions, not the one at hand. Small
talk ("feel free to reach out") is no order.
"""

import re

_VERB = (
    r"(?:start|begin|end|finish|prefix|suffix|append|prepend|add|include|import|use|put|place"
    r"|insert|apply|decorate|incorporate|name|write|format|have|keep|attach|mark|annotate|document"
    r"|wrap|declare|define|follow|stick|adhere|continue|adopt|utili[sz]e|implement)"
)
_OPENER = (
    r"(?:(?:and|also|so|now|then|plus|but|ok(?:ay)?|next|again|remember|please|just|first(?:ly)?"
    r"|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|last(?:ly)?|final(?:ly)?|additionally|similarly"
    r"|likewise|furthermore|moreover|instead|however|for now|by the way|one more thing"
    r"|(?:going|moving) forward|from now on|in addition|i(?:'ve| have)? changed my mind)[\s,:]+)*"
)
_TOPIC = (
    r"(?:(?:when(?:ever)?|while|for|as for|with|in|on|to|regarding|after|before) [^,]{2,70},\s*)?"
)
ORDER = re.compile(
    rf"^\W*{_OPENER}{_TOPIC}{_OPENER}(?:let'?s |do )?(?:always |only |consistently )?{_VERB}\b"
    r"|\b(?:i|we)(?:'d|'ll| would| will| do)?(?: \w+ly| also| now| just| still| then)*"
    r" (?:like|want|need|expect|prefer|ask|love|require) (?:for )?"
    r"(?:(?:you|us|everyone|everybody|the team|all of you)(?: \w+)?|(?:all )?(?:\w+ )?"
    r"(?:names|methods|functions|classes)) to\b|\b(?:i|we) (?:want|prefer) that\b"
    r"|\b(?:i'm|i am|we're|we are) (?:\w+ ){0,2}(?:asking|requesting|requiring|expecting)"
    r" (?:\w+ )?to\b"
    r"|\bplease\b|\b(?:ensure|make sure|be sure|remember|don'?t forget)"
    r" (?:that|to|you|all|each|every|your)\b"
    r"|\bget (?:yourself )?into the habit\b|\bmake it a habit\b"
    r"|\b(?:important|essential|crucial|necessary|mandatory|required) (?:that|to|for)\b"
    r"|\b(?:conventions?|practices?|standards?|rules?|guidelines?|requirements?|polic(?:y|ies))\b"
    r"[^.]{0,60}?\b(?:is|are|of|where|that|by)\b"
    r"|\bwe(?:'re| are|'ve|'ll| will)?(?: \w+ly| also| now| all| always)*"
    rf" {_VERB}(?:ing|ning|d|ed|ped)?\b"
    r"|\b(?:you|we)(?:'ll|'d| will| would)? (?:\w+ly )?"
    r"(?:should|need to|have to|must|want to|are to|ought to)\b"
    r"|\b(?:names?|functions|methods|classes|variables|arguments|attributes)"
    r" (?:should|must|need to|have to)\b",
    re.IGNORECASE,
)
"""A sentence that tells the other what to do."""
_THING = (
    r"(?:class(?:es)?|function|method|variable|argument|parameter|attribute|field|propert(?:y|ies)"
    r"|constant|name|identifier|file|module|package|script|test|commit|branch(?:es)?|message|comment"
    r"|docstring|import|type|enum|interface|component|hook|endpoint|route|quer(?:y|ies)|migration"
    r"|exception|key|column|table|pull request|release)"
)
DEFINITE = re.compile(
    rf"\b(?:the|this|these|those)\s+(?:(?!name)[\w']+\s+){{0,2}}?{_THING}s?\b", re.IGNORECASE
)
"""A definite noun phrase, about things at hand and not in general."""
GENERAL_THING = re.compile(
    rf"\b(?:each|every|any|all)\s+(?:of\s+)?(?:your\s+|our\s+|the\s+)?(?:[\w']+\s+){{0,2}}?{_THING}s?\b"
    rf"|\b(?:{_THING}(?<=s)|{_THING}s)\b|\bthem\b|\btheir\b|\b(?:your|our|all) (?:\w+ )?code\b",
    re.IGNORECASE,
)
"""A noun phrase about things in general, which a rule is about."""
ONCE = re.compile(
    r"\b(?:rename|replace|search|find|look|print|delete|remove|fix|repair|move|open|show|merge|debug"
    r"|investigate|refactor|convert|migrate)\b",
    re.IGNORECASE,
)
"""Verbs of actions that are done once."""
HABIT = re.compile(
    r"\b(?:start|begin|continue|keep|habit of|focus on|always|consistently) (?:\w+ly )?\w+ing\b"
    r"|\beven if\b|\bconsistently\b|\bat all times\b",
    re.IGNORECASE,
)
"""Verbs of habits."""
TELLS = re.compile(
    rf"^\W*{_OPENER}{_TOPIC}{_OPENER}(?:\w+ly,? )?"
    r"(?:it|they|he|she|there|this|that|these|those|our|my|your|the|an?|his|her|their"
    r"|who|what|how|to|by|as|you (?:might|can|could|may|will|are|have)"
    r"|you'(?:ll|re|ve)|we (?:have|had|can|could|will|are|were|all)|we'(?:ll|re|ve)"
    r"|i (?:am|have|will|can|think|hope|know|believe)|i'(?:m|ll|ve)|\w+ing)\b",
    re.IGNORECASE,
)
"""The start of a statement about how things are."""
_REST = r"(?:(?!\b(?:but|and|so)\b)[^,;])*"
TALK = re.compile(
    r"\bi(?:'d| would)? (?:just |also )?(?:want(?:ed)?|like) to (?:\w+ )?(?:talk|touch base|discuss"
    r"|give|share|introduce|go over|update|let you know|provide|bring|mention|thank|highlight|take"
    r"|have|check|see|chat|catch up|walk|welcome)\b[^:]*"
    r"|\b(?:don'?t|do not|never) (?:hesitate|worry|feel|underestimate"
    r"|forget to (?:take|enjoy|ask|reach|have)"
    rf"|be (?:afraid|shy|scared|worried|discouraged|nervous|surprised|alarmed|a stranger))\b{_REST}"
    rf"|\bkeep (?:up\b|(?!existing|string|spacing|naming|formatting|logging|testing)\w+ing\b|at it"
    rf"|an? (?:eye|open)|(?:your|our) eyes|in touch|track){_REST}"
    r"|\b(?:if (?:you|there)\b[^,;]{0,40}?|should you \w+|have|having|answer|with|address|discuss)"
    r"\s+any (?:\w+ ){0,3}?(?:questions?|concerns?|thoughts?|issues?|help|assistance|doubts?"
    r"|feedback|clarifications?"
    r"|guidance|support|problems?|challenges?|difficult(?:y|ies)|suggestions?|ideas?|further)"
    rf"\b{_REST}"
    r"|\b(?:feel free|welcome) to (?:\w+ ){0,2}?(?:reach|ask|let|share|contact|come|drop|discuss"
    rf"|explore|check|talk|take|join|stop|suggest|approach|use|make|bring|message|call|email)\b{_REST}"
    r"|\b(?:is|are|i'?m|we'?re|i'?ll|we'?ll|am|be|was|were|has|have|had) always\b"
    r"|\b(?:as|that|what|concerns|questions|ideas|thoughts|suggestions) you may\b"
    r"|\bit'?s (?:ok(?:ay)?|fine|normal|important) to"
    r" (?:not|make|ask|take|remember|feel|step|have)\b",
    re.IGNORECASE,
)
"""Small talk that only keeps a conversation going."""

"""Extracts the search terms of a question and the kind of answer it wants."""

import re
from dataclasses import dataclass
from enum import StrEnum

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about above actually after again all already also always am an and another any anyone are
        as ask at be because been before being below between both but by can cannot could did do
        does doing done down each either else ever every exactly explain few find for from further
        get gets give given goes got had has have having he hello help her here hers hey hi him his
        how however i if in inside into is it its just kindly know let lets like list live lives
        locate located look looking looks make makes many may me mean means might more most much
        must my need no nor not now of off on once one only onto or other our out over own part
        place please point quote repo repository same say says see shall she should show shows so
        some someone something somewhere still such tell than thank thanks that thats the their them
        then there these they thing things this those through to too under understand until up upon
        us use used uses using very want was way we well were what whats when where wheres whether
        which while who whom whose why will with within without would you your yours project
        codebase code workspace line lines source sources happen happens work works working exist
        exists called named name define defined defines definition implement implemented implements
        implementation file files folder directory test tests tested testing
        """,
    )
)
COMPOUNDED = frozenset({"line", "file", "folder", "source", "name", "test", "workspace"})
"""Stop words that count after another word, as in "load line"."""
WEAK = frozenset(
    re.findall(
        r"\w+",
        """
        add build calculat call chang check choos chos class comput constant creat decid function
        handl hold import keep kept load method pars print rais read return run sav set start stor
        valu variabl writ
        """,
    )
)
"""Stems of verbs for the action and not its object; they rank lines but match too many."""
SUFFIX = re.compile(r"(.{4,}?)(?:(at)ions?|ings?|edly|ed|ers?|ies|ions?|es|s|ly)|(.{5,})e")
"""A suffix that is removed from a word; four letters remain."""

LONGEST_QUESTION = 2_000
"""Characters; the rest is an attachment, not a question."""
MOST_TERMS = 6
STRONG = 2.0
"""The weight from which a term is worth a search of its own."""
EXACT = 4.0
"""The weight of a name or a quoted text."""

QUOTED = re.compile(r"`([^`\n]{2,80})`|\"([^\"\n]{2,80})\"|(?<!\w)'([^'\n]{2,80})'(?!\w)")
PATH = re.compile(r"(?<![\w/.])(?:[\w.-]+/)+[\w.-]+|(?<![\w/.])[\w-]+\.[A-Za-z]{1,5}(?![\w(])")
IDENTIFIER = re.compile(
    r"\b(?:[A-Za-z]+_\w+|_\w{2,}|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*|\w{2,}(?=\(\)))"
)
WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")

GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|thanks?|thank you|help|who are you|what (?:can|do) you do|what are you)"
    r"\b[^?]{0,30}\W*$",
    re.IGNORECASE,
)
SUMMARY = re.compile(
    r"^\W*(?:please |can you )?(?:summari[sz]e|give (?:me )?a summary)\b", re.IGNORECASE
)
FILES = re.compile(
    r"\b(?:which|what|list|show|find)\b(?:[^.?]|\.(?=\w)){0,40}\b(?:files?|folders?|directories|modules)\b"
    r"|\bfiles? (?:named|called)\b",
    re.IGNORECASE,
)
THE_PROJECT = (
    r"(?:this|the) (?:project|repo(?:sitory)?|code ?base|package|program|app(?:lication)?)"
)
OVERVIEW = re.compile(
    rf"\bwhat (?:does|is) {THE_PROJECT}\b|\boverview of {THE_PROJECT}\b"
    rf"|\bwhere does (?:it|this|{THE_PROJECT}) (?:start|begin)\b|\bentry points?\b",
    re.IGNORECASE,
)
CONTENT_VERB = re.compile(
    r"\b(?:mention|use|import|contain|refer|call|define|implement|handle|raise|read|write)\w*\b",
    re.IGNORECASE,
)
FOLLOW_UP = re.compile(r"^\W*(?:and|but|also|what about|how about|where else|or)\b", re.IGNORECASE)
PRONOUN = re.compile(r"\b(?:it|its|that|they|them|this|these|those)\b", re.IGNORECASE)
TESTS = re.compile(r"\b(?:un)?tests?(?:ed|ing)?\b|\bcovered\b", re.IGNORECASE)
DOCS = re.compile(r"\b(?:documented|documentation|docs?|readme|changelog)\b", re.IGNORECASE)
USES = re.compile(r"\b(?:used|raised|thrown|called|imported|referenced|invoked)\b", re.IGNORECASE)
COMING_ABOUT = re.compile(
    r"\b(?:comput|calculat|deriv|count|summed|sums?\b|added up)", re.IGNORECASE
)
CHANGE = re.compile(
    r"^\W*(?:please |can you |could you )?(?:fix|write|add|change|refactor|rename|implement|create"
    r"|delete|remove|replace|update|edit|run|install|commit)\b",
    re.IGNORECASE,
)


class QuestionKind(StrEnum):
    """The kinds of questions, each answered in its own way."""

    GREETING = "greeting"
    SUMMARY = "summary"
    OVERVIEW = "overview"
    FILES = "files"
    FILE = "file"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Term:
    """A search term, matched without regard to case."""

    text: str
    """The stem of a word, or a whole name."""
    weight: float
    word: str
    """The whole word, as it was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuestion:
    """A parsed question."""

    text: str
    kind: QuestionKind
    terms: tuple[Term, ...] = ()
    paths: tuple[str, ...] = ()
    """Files that it names."""
    wants_tests: bool = False
    wants_docs: bool = False
    wants_uses: bool = False
    """Whether it asks for uses of a thing, not for its definition."""
    wants_function: bool = False
    """Whether it asks how a value comes about."""
    wants_change: bool = False
    """Whether it asks for work that only a real model can do."""


def parse_question(text: str, before: str | None = None) -> SearchQuestion:
    """Parse a question; a follow-up inherits terms of the question before it."""
    text = text.strip()[:LONGEST_QUESTION]
    terms, paths = terms_of(text), _paths(text)
    bare = not paths and (not terms or (len(terms) < 2 and PRONOUN.search(text)))
    follows = FOLLOW_UP.search(text) or bare
    if before and follows and not GREETING.match(text):
        known = {term.text for term in terms}
        old = (term for term in terms_of(before) if term.text not in known)
        terms = (*terms, *old)[:MOST_TERMS]
    return SearchQuestion(
        text=text,
        kind=_kind(text, terms, paths),
        terms=terms,
        paths=paths,
        wants_tests=bool(TESTS.search(text)),
        wants_docs=bool(DOCS.search(text)),
        wants_uses=bool(USES.search(text)),
        wants_function=bool(COMING_ABOUT.search(text)),
        wants_change=bool(CHANGE.search(text)),
    )


def terms_of(text: str) -> tuple[Term, ...]:
    """Return the search terms, strongest first, without repetition."""
    found: dict[str, Term] = {}

    def add(term: str, weight: float, word: str) -> None:
        key = term.strip().lower()
        if key and (key not in found or found[key].weight < weight):
            found[key] = Term(key, weight, word.strip())

    for match in QUOTED.finditer(text):
        quoted = match[1] or match[2] or match[3]
        add(quoted, EXACT, quoted)
    plain = PATH.sub(" ", QUOTED.sub(" ", CHANGE.sub(" ", text)))
    for match in IDENTIFIER.finditer(plain):
        add(match[0], EXACT, match[0])
        for word in split_name(match[0]):
            add(stem(word), 0.5, word)
    before = ""
    for match in WORD.finditer(IDENTIFIER.sub(" ", plain)):
        word = match[0].lower().replace("\u2019", "'").removesuffix("'s")
        if word not in STOP_WORDS and (len(word) > 2 or not word.isascii() or match[0].isupper()):
            add(stem(word), 1.0 if stem(word) in WEAK else STRONG, word)
        elif word.removesuffix("s") in COMPOUNDED and before and before not in STOP_WORDS:
            add(stem(word), 1.0, word)
        before = word
    return tuple(sorted(found.values(), key=lambda term: -term.weight)[:MOST_TERMS])


def stem(word: str) -> str:
    """Cut a word to the beginning that its forms share: computed, computing -> comput."""
    match = SUFFIX.fullmatch(word.lower())
    if match is None:
        return word.lower()
    left = (match[1] or match[3]) + (match[2] or "")
    doubled = len(left) > 4 and left[-1] == left[-2] and left[-1] not in "lsz"
    return left[:-1] if doubled else left


def split_name(name: str) -> list[str]:
    """Split a name in words: ``openProvider``, ``open_provider`` -> open, provider."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return [word.lower() for word in words if len(word) > 2]


def _paths(text: str) -> tuple[str, ...]:
    found = (match[0].removeprefix("./").rstrip(".") for match in PATH.finditer(text))
    return tuple(dict.fromkeys(path for path in found if path and not path.startswith("/")))


def _kind(text: str, terms: tuple[Term, ...], paths: tuple[str, ...]) -> QuestionKind:
    files, overview = FILES.search(text), OVERVIEW.search(text)
    if SUMMARY.match(text):
        return QuestionKind.SUMMARY
    if GREETING.match(text) or not (terms or paths or files or overview):
        return QuestionKind.GREETING
    beside = terms_of(re.sub(THE_PROJECT, " ", text, flags=re.IGNORECASE))
    if overview and not _any_strong(beside):
        return QuestionKind.OVERVIEW
    if files and not (_any_strong(terms) and CONTENT_VERB.search(text)):
        return QuestionKind.FILES
    return QuestionKind.FILE if paths and not _any_strong(terms) else QuestionKind.SEARCH


def _any_strong(terms: tuple[Term, ...]) -> bool:
    return any(term.weight >= STRONG for term in terms)

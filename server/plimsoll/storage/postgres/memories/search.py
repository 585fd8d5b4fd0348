"""The search over shared memories: the engine finds candidates by words, the ranking is ours."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from psycopg.sql import SQL

from plimsoll.memory.ranking import (
    CONTEXT_WEIGHT,
    HELPER_WEIGHT,
    LEADING,
    NEIGHBOUR,
    POSTINGS,
    PREFIX,
    REACH,
    TITLE_WEIGHT,
    alternatives,
    apply_weights,
    rank,
)
from plimsoll.memory.types import Memory, MemoryMatch
from plimsoll.storage.memories.index import CANDIDATES, origin_of, other_spellings
from plimsoll.storage.postgres.memories.bm25 import Corpus, Phrase, Text, inverse_frequency, score
from plimsoll.storage.postgres.memories.rows import select_keys
from plimsoll.storage.postgres.memories.stems import stems
from plimsoll.storage.postgres.projects import SharedProject
from plimsoll.text.terms import named_in, related_terms, search_terms

TITLE, CONTENT, CONTEXT, NAMES = "A", "B", "C", "D"
"""The labels of a `tsvector` that say in which column a word stands."""
_COLUMNS = {TITLE: TITLE_WEIGHT, CONTENT: 1.0, CONTEXT: CONTEXT_WEIGHT, NAMES: HELPER_WEIGHT}

_CORPUS = "SELECT found, found_words FROM plimsoll.projects WHERE id = %(project)s"
_COUNTS = """
SELECT (SELECT count(*) FROM (
  SELECT 1 FROM plimsoll.memories
  WHERE project = %(project)s AND words @@ asked.query LIMIT %(most)s) AS counted)
FROM unnest(%(queries)s::tsquery[]) WITH ORDINALITY AS asked (query, number) ORDER BY asked.number
"""
_SAMPLED = """
WITH newest AS MATERIALIZED (
  SELECT words FROM plimsoll.memories WHERE project = %(project)s AND words IS NOT NULL
  ORDER BY key DESC LIMIT %(sample)s)
SELECT (SELECT count(*) FROM newest WHERE words @@ asked.query)
FROM unnest(%(queries)s::tsquery[]) WITH ORDINALITY AS asked (query, number) ORDER BY asked.number
"""
_MATCHING = SQL("""
SELECT key, word_count, words FROM plimsoll.memories
WHERE project = %(project)s AND words @@ %(query)s::tsquery
""")
_NEWEST = SQL("""
WITH matching AS MATERIALIZED ({matching} AND key > (
  SELECT max(key) FROM plimsoll.memories WHERE project = %(project)s) - %(horizon)s)
(SELECT * FROM matching ORDER BY key DESC LIMIT %(most)s) UNION ALL
(SELECT * FROM matching WHERE words @@ %(titles)s::tsquery ORDER BY key DESC LIMIT %(most)s)
""").format(matching=_MATCHING)
_PLACES = SQL("""
SELECT memory.key, memory.word_count, word.lexeme, word.positions, word.weights
FROM ({memories}) AS memory, unnest(memory.words) AS word WHERE word.lexeme LIKE ANY(%(patterns)s)
""")
_SIDE = SQL("""
SELECT key FROM plimsoll.memories WHERE project = %(project)s AND origin = %(origin)s
  AND state IN ('active', 'stale') AND key {beside} (
    SELECT key FROM plimsoll.memories WHERE project = %(project)s AND id = %(id)s)
ORDER BY key {order} LIMIT 1
""")
_SIDES = (
    _SIDE.format(beside=SQL("<"), order=SQL("DESC")),
    _SIDE.format(beside=SQL(">"), order=SQL("ASC")),
)
"""The notes just before and just after a memory."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of the memories a search looks at, so that it costs the same however many there are.

    Up to the horizon the order is that of SQLite.
    """

    postings: int = POSTINGS
    """The most memories whose words are read, for rare words and for common ones each."""
    horizon: int = 20_000
    """The newest memories, in which alone a question is looked for that has common words only."""
    sample: int = 4_000
    """The newest memories by which it is estimated how many of more have a common word."""


USUAL = Bounds()


async def search_memories(
    project: SharedProject, question: str, at: str, limit: int
) -> list[MemoryMatch]:
    """Rank the candidates close to the best by words, then add the notes next to the first."""
    found = await candidates(project, question)
    least = found[min(limit, len(found)) - 1][1] / REACH if found else 0.0
    near = [one for one in found if one[1] >= least]
    matches = rank(
        apply_weights(await _with_memories(project, near), at, named_in(question)), limit
    )
    joining = [
        (key, match.score * NEIGHBOUR)
        for match in matches[:LEADING]
        for key in await _beside(project, match.memory)
    ]
    joined = await _with_memories(project, joining)
    return rank([*matches, *(MemoryMatch(memory, score) for memory, score in joined)], limit)


async def candidates(
    project: SharedProject, question: str, bounds: Bounds = USUAL
) -> list[tuple[int, float]]:
    """Find the keys of the memories that match the words best, with scores above zero."""
    most = bounds.postings
    own = await _count_words(project, search_terms(question), most)
    related = await _count_words(project, related_terms(question), most)
    missing = [word for word, count in own if not count]
    related += await _count_words(project, other_spellings(missing), most)
    chosen = alternatives(own, related, most)
    if not chosen:
        return []
    phrases = _phrases(word for words in chosen for word in words)
    asked = {
        "query": " | ".join(_all_of(words, phrases) for words in chosen),
        "titles": " | ".join(_query(each, TITLE) for each in phrases.values()),
        "most": most,
        "horizon": bounds.horizon,
        "patterns": [pattern for each in phrases.values() for pattern in _patterns(each)],
    }
    has_rare = any(0 < count <= most for _, count in own)
    statement = _PLACES.format(memories=_MATCHING if has_rare else _NEWEST)
    texts = _texts(await project.all_rows(statement, **asked))
    corpus = await _corpus(project)
    counts = dict([*own, *related])
    common = {word: each for word, each in phrases.items() if counts[word] > most}
    counts |= await _common(project, common, corpus, bounds)
    weights = [(each, inverse_frequency(corpus, counts[word])) for word, each in phrases.items()]
    scores = ((key, score(text, weights, _COLUMNS, corpus)) for key, text in texts.items())
    return sorted(scores, key=lambda one: (-one[1], -one[0]))[:CANDIDATES]


def tsvector(columns: Sequence[Sequence[str]]) -> str:
    """Build the text of a `tsvector` from the stems of title, content, context and names."""
    places = defaultdict[str, list[str]](list)
    place = 0
    for label, column in zip(_COLUMNS, columns, strict=True):
        for stem in column:
            place += 1
            places[stem].append(f"{place}{label}")
        # A phrase does not reach from one column into the next.
        place += 1
    return " ".join(f"{_lexeme(stem)}:{','.join(found)}" for stem, found in places.items())


async def _count_words(
    project: SharedProject, words: Sequence[str], most: int
) -> list[tuple[str, int]]:
    """Count the memories that have each word, up to one more than ``most``."""
    phrases = _phrases(words)
    counts = await _counts(project, [*phrases.values()], most + 1)
    held = dict(zip(phrases, counts, strict=True))
    return [(word, held.get(word, 0)) for word in words]


async def _common(
    project: SharedProject, phrases: Mapping[str, Phrase], corpus: Corpus, bounds: Bounds
) -> dict[str, int]:
    """Count the memories that have each common word; estimate it where there are very many."""
    if not phrases:
        return {}
    if corpus.texts <= bounds.horizon:
        return dict(zip(phrases, await _counts(project, [*phrases.values()]), strict=True))
    queries = [_query(each) for each in phrases.values()]
    rows = await project.all_rows(_SAMPLED, queries=queries, sample=bounds.sample)
    estimated = (round(count * corpus.texts / bounds.sample) for (count,) in rows)
    return dict(zip(phrases, estimated, strict=True))


async def _counts(
    project: SharedProject, phrases: Sequence[Phrase], most: int | None = None
) -> list[int]:
    """Count the memories that have each phrase, in one round trip."""
    queries = [_query(each) for each in phrases]
    rows = await project.all_rows(_COUNTS, queries=queries, most=most)
    return [int(count) for (count,) in rows]


async def _corpus(project: SharedProject) -> Corpus:
    row = await project.first_row(_CORPUS)
    texts, words = (0, 0) if row is None else (int(row[0]), int(row[1]))
    return Corpus(texts, words / texts if texts else 0.0)


async def _with_memories(
    project: SharedProject, found: Sequence[tuple[int, float]]
) -> list[tuple[Memory, float]]:
    memories = await select_keys(project, [key for key, _ in found])
    return [(memories[key], score) for key, score in found if key in memories]


async def _beside(project: SharedProject, memory: Memory) -> list[int]:
    origin = origin_of(memory)
    if origin is None:
        return []
    sides = [await project.first_row(side, origin=origin, id=memory.id) for side in _SIDES]
    return [int(row[0]) for row in sides if row is not None]


def _phrases(words: Iterable[str]) -> dict[str, Phrase]:
    """Return a phrase of stems for each word, leaving out words without a stem."""
    unique = list(dict.fromkeys(words))
    found = zip(unique, stems([word.removesuffix(PREFIX) for word in unique]), strict=True)
    return {word: Phrase(tuple(each), word.endswith(PREFIX)) for word, each in found if each}


def _texts(rows: Sequence[tuple[int, int, str, list[int], list[str]]]) -> dict[int, Text]:
    lengths: dict[int, int] = {}
    places = defaultdict[int, dict[str, Mapping[int, str]]](dict)
    for key, length, lexeme, positions, labels in rows:
        lengths[key] = length
        places[key][lexeme] = dict(zip(positions, labels, strict=True))
    return {key: Text(lengths[key], found) for key, found in places.items()}


def _all_of(words: Sequence[str], phrases: Mapping[str, Phrase]) -> str:
    return f"({' & '.join(_query(phrases[word]) for word in words)})"


def _query(phrase: Phrase, label: str = "") -> str:
    """Build the text of a `tsquery` that matches a phrase."""
    *first, last = map(_lexeme, phrase.stems)
    marks = f"{label}{'*' if phrase.is_beginning else ''}"
    stood = [f"{each}:{label}" if label else each for each in first]
    return f"({' <-> '.join([*stood, f'{last}:{marks}' if marks else last])})"


def _lexeme(stem: str) -> str:
    return "'" + stem.replace("\\", "\\\\").replace("'", "''") + "'"


def _patterns(phrase: Phrase) -> list[str]:
    escaped = [
        each.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_") for each in phrase.stems
    ]
    return [*escaped[:-1], escaped[-1] + "%" * phrase.is_beginning]

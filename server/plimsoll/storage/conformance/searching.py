"""Checks of the search over memories: what is found for a question, and in which order."""

from typing import Any

from plimsoll.memory.changes import Add, Forget, Purge, RestoreMemory, Revise
from plimsoll.memory.types import Author, Memory, MemoryClass, MemorySource, Trust
from plimsoll.storage.conformance.base import AT, Check, OpenStore, find_ids, memory

USER = Author.USER
OTHER_FORMS = (
    ("She bought it.", "buy"),
    ("The children wait.", "child"),
    ("All indices are new.", "the index"),
    ("See the file name.", "filename"),
    ("See the filename.", "which file name"),
    ("A time-out of a minute.", "timeouts? timeout"),
    ("We deploy on Fridays.", "deployment day"),
    ("Deployments are on Fridays.", "when was it deployed"),
    ("Datenbankmigrationen laufen nachts.", "Datenbankmigration"),
    ("Datenbankmigrationen laufen nachts.", "Datenbank Migration"),
    ("Der Rechnungsdienst ist alt.", "Rechnung"),
    ("Резервное копирование идёт ночью.", "копировани"),
)
"""What is noted, and other words that find it."""


async def check_words_names_and_other_scripts_are_found(open_store: OpenStore) -> None:
    """Words, names and texts in other scripts are found."""
    store = (await open_store()).memories
    notes = {
        "plain": "The tests run with pytest.",
        "snake": "Set context_window before the call.",
        "camel": "openProvider reads the address.",
        "path": "The store is in server/plimsoll/storage/locate.py.",
        "cjk": "使用数据库连接池。",
        "kana": "データベースを使う",
        "accent": "Das Café öffnet früh.",
        "cyrillic": "Сборка идёт на сервере",
    }
    await store.apply([Add(memory(name, text, title="note")) for name, text in notes.items()], AT)

    assert await find_ids(store, "How do I run a test?") == ["plain"]
    assert await find_ids(store, "window") == ["snake"]
    assert await find_ids(store, "context_window") == ["snake"]
    assert await find_ids(store, "provider") == ["camel"]
    assert await find_ids(store, "OpenProvider") == ["camel"]
    assert await find_ids(store, "plimsoll/storage") == ["path"]
    assert await find_ids(store, "locate.py") == ["path"]
    assert await find_ids(store, "数据库") == ["cjk"]
    assert await find_ids(store, "ベース") == ["kana"]
    assert await find_ids(store, "cafe") == ["accent"]
    assert await find_ids(store, "СБОРКА") == ["cyrillic"]
    assert await find_ids(store, "the of and") == []
    assert await find_ids(store, '"AND (NOT *) NEAR') == []


async def check_class_pin_trust_and_age_decide_between_equal_words(open_store: OpenStore) -> None:
    """Between memories with the same words, class, pin, trust and age decide the order."""
    store = (await open_store()).memories

    def note(name: str, **fields: Any) -> Memory:
        return memory(name, f"deploy {name}", title="deploy", **fields)

    await store.apply(
        [
            Add(note("old", created_at="2025-01-01T00:00:00.000Z")),
            Add(note("new")),
            Add(note("pinned", pinned=True)),
            Add(note("priority", class_=MemoryClass.PRIORITY, pinned=True)),
            Add(note("extracted", trust=Trust.EXTRACTED)),
            Add(note("working", class_=MemoryClass.WORKING, trust=Trust.EXTRACTED)),
        ],
        AT,
    )

    order = await find_ids(store, "deploy")
    assert order[:3] == ["priority", "pinned", "new"]
    assert order.index("new") < order.index("extracted") < order.index("working")
    assert order.index("new") < order.index("old")


async def check_a_note_is_found_by_its_neighbours_words(open_store: OpenStore) -> None:
    """A memory is found by the words of the one before it from the same session."""
    store = (await open_store()).memories
    same = MemorySource(session_id="s1")
    await store.apply(
        [
            Add(memory("m1", "We talked about the harbour.", title="a", source=same)),
            Add(memory("m2", "It opens at nine.", title="b", source=same)),
            Add(memory("m3", "Elsewhere.", title="c", source=MemorySource(session_id="s2"))),
        ],
        AT,
    )

    assert await find_ids(store, "harbour") == ["m1", "m2"]
    await store.apply([Forget("m1", USER)], AT)
    assert await find_ids(store, "harbour") == []
    await store.apply([RestoreMemory("m1", USER)], AT)
    assert await find_ids(store, "harbour") == ["m1", "m2"]
    await store.apply([Revise(id="m1", author=USER, content="We talked about the pier.")], AT)
    assert await find_ids(store, "harbour") == []
    assert await find_ids(store, "pier") == ["m1", "m2"]


async def check_who_is_named_weighs_more_and_a_question_less(open_store: OpenStore) -> None:
    """The person named in a question raises a memory's rank, and being a question lowers it."""
    store = (await open_store()).memories
    notes = [
        memory("asks", "Brook: What have you painted in Oslo, a sofa or a lamp?", title="Brook"),
        memory("other", "Brook: I have painted a sofa in Oslo, and a lamp.", title="Brook"),
        memory("meant", "Ada: In Oslo I painted the second sofa, I think, not lamps.", title="Ada"),
    ]
    await store.apply([Add(note) for note in notes], AT)
    assert await find_ids(store, "What has Ada painted in Oslo, a sofa?") == [
        "meant",
        "other",
        "asks",
    ]


async def check_what_stands_beside_the_best_match_joins(open_store: OpenStore) -> None:
    """Memories next to the best match are found too, without a word of the question."""
    store = (await open_store()).memories
    said = ["The violin was repaired.", "It took a weekend.", "Everybody got cake.", "Good night."]
    notes = [
        memory(f"m{place}", text, title=f"turn {place}", source=MemorySource("s1"))
        for place, text in enumerate(said)
    ]
    await store.apply([Add(note) for note in notes], AT)
    assert (await find_ids(store, "the violin"))[:2] == ["m0", "m1"]


async def check_other_forms_and_compounds_are_found(open_store: OpenStore) -> None:
    """Other forms and compounds are found."""
    store = (await open_store()).memories
    for noted, asked in OTHER_FORMS:
        await store.apply([Add(memory("m1", noted, title="note"))], AT)
        assert await find_ids(store, asked) == ["m1"], asked
        await store.apply([Purge("m1", USER)], AT)
        assert await find_ids(store, asked) == [], asked


async def check_words_that_only_begin_so_are_found_where_no_memory_holds_the_word(
    open_store: OpenStore,
) -> None:
    """Where no memory holds a word, those with a longer word that begins with it are found."""
    store = (await open_store()).memories
    notes = {"whole": "The bill is due.", "begun": "The billboards are old."}
    await store.apply([Add(memory(name, text, title="note")) for name, text in notes.items()], AT)
    assert await find_ids(store, "billb") == ["begun"]
    assert await find_ids(store, "bill") == ["whole"]
    assert await find_ids(store, "due") == ["whole"]
    assert await find_ids(store, "old*") == ["begun"]


async def check_a_memory_far_down_by_words_is_still_weighed(open_store: OpenStore) -> None:
    """A pinned memory of priority is found though a hundred others match the words better."""
    store = (await open_store()).memories
    others = [
        memory(f"o{n}", f"The cache {n}.", title=f"other {n}", trust=Trust.EXTRACTED)
        for n in range(100)
    ]
    wanted = memory("m1", "The cache of the 7.", title="own", pinned=True, trust=Trust.USER)
    await store.apply([Add(note) for note in [*others, wanted]], AT)
    assert (await find_ids(store, "cache"))[0] == "m1"


SEARCHES: tuple[Check, ...] = (
    check_words_names_and_other_scripts_are_found,
    check_class_pin_trust_and_age_decide_between_equal_words,
    check_a_note_is_found_by_its_neighbours_words,
    check_who_is_named_weighs_more_and_a_question_less,
    check_what_stands_beside_the_best_match_joins,
    check_other_forms_and_compounds_are_found,
    check_words_that_only_begin_so_are_found_where_no_memory_holds_the_word,
    check_a_memory_far_down_by_words_is_still_weighed,
)
"""What a search over memories must pass."""

"""What tools and files brought: each text is read once, and the newest of it is kept."""

from builders import assistant, result, user
from plimsoll.context.log.entries import Entry
from plimsoll.session.resources.foreign_text import MOST_FOREIGN, ForeignText, flat

LOG: list[Entry] = [
    user("u1", "Look."),
    assistant("a1", "Looking.", ("c1", "grep", "{}")),
    result("r1", "a1", "c1", "The Evil-Script, at noon!"),
]


def test_only_what_tools_brought_is_read_and_each_text_once():
    log, foreign = [*LOG], ForeignText()

    assert foreign.read(foreign.take_unread(log)) == " the evil script at noon "
    assert foreign.take_unread(log) == []
    log += [user("u2", "And?"), result("r2", "a1", "c1", "more")]
    assert foreign.take_unread(log) == ["more"]
    assert foreign.read(["more"]) == " the evil script at noon  more "


def test_another_log_is_read_from_its_start():
    foreign = ForeignText()
    foreign.read(foreign.take_unread([*LOG, result("r2", "a1", "c1", "what was purged")]))

    assert foreign.read(foreign.take_unread([*LOG])) == flat("The Evil-Script, at noon!")


def test_the_newest_is_kept_and_never_more_than_twice_the_bound():
    texts = "oldest", "a" * (MOST_FOREIGN // 2), "b" * (MOST_FOREIGN * 4)
    log = [result(f"r{n}", "a1", f"c{n}", text) for n, text in enumerate(texts)]
    foreign = ForeignText()

    assert foreign.read(foreign.take_unread(log[:2])).startswith(" oldest ")
    assert foreign.read(foreign.take_unread(log)) == f" {'b' * MOST_FOREIGN} "

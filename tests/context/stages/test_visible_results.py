"""The tool results in the view: the newest ones that some tokens hold."""

from builders import edited
from context.stages.logs import lines, next_request, read, shell
from plimsoll.context.log.entries import Refer, Stage
from plimsoll.context.stages.visible_results import newest_within
from plimsoll.context.view.rendering import content_hash

TEXT = lines("x", 60)


def newest(entries, tokens):
    return [each.result.item for each in newest_within(next_request(entries), tokens)][::-1]


def test_the_newest_results_that_so_many_tokens_hold():
    entries = [said for n in range(4) for said in shell(n, f"run {n}", "word " * 100)]
    assert newest(entries, 250) == ["r2.0", "r3.0"]
    assert newest(entries, 20) == []


def test_a_pointer_takes_what_it_points_to_along():
    whole = read(1, TEXT)
    size = newest_within(next_request(whole), 10_000)[0].tokens
    pointer = Refer("r3.0", content_hash(whole[-1].parts[0].text), "[unchanged]")
    refer = edited("e1", pointer, stage=Stage.REFER)
    entries = [*whole, *shell(2, "run", "word " * 50), *read(3, TEXT), refer]
    assert newest(entries, size + 100) == ["r1.0", "r2.0", "r3.0"], "the base counts once"
    assert newest(entries, size + 30) == ["r3.0"], "no room beside the base"
    assert newest(entries, size // 2) == []

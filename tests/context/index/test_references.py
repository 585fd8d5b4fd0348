"""References: what the assistant referred to after it had seen it."""

import pytest

from builders import user
from context.stages.logs import call, next_request, shell


def counts(*entries):
    return dict(next_request(entries).indexes.references.counts())


SEEN = call(1, "file_read", {"path": "src/zebra.py"}, "def zebra_count(): return stripe_total")


@pytest.mark.parametrize(
    ("said", "references"),
    [
        ("nothing of it", {}),
        ("zebra_count is wrong", {"r1.0": 1}),
        ("src/zebra.py is wrong", {"r1.0": 1}),
        ("zebra.py is wrong", {"r1.0": 1}),
        ("zebra_count and stripe_total", {"r1.0": 1}),
        ("zebras count", {}),
    ],
)
def test_a_message_that_names_what_a_result_showed_refers_to_it_once(said, references):
    assert counts(*SEEN, *shell(2, "true", "ok", said)) == references


def test_a_later_call_refers_too():
    assert counts(*SEEN, *call(2, "grep", {"pattern": "zebra_count"}, "none")) == {"r1.0": 1}


def test_a_call_does_not_refer_to_its_own_result():
    assert counts(*SEEN) == {}


def test_each_later_message_counts():
    again = [said for n in (2, 3, 4) for said in shell(n, "true", "ok", "zebra_count again")]
    assert counts(*SEEN, *again) == {"r1.0": 3}


def test_what_a_person_says_is_no_reference():
    assert counts(*SEEN, user("u2", "zebra_count is wrong")) == {}


def test_a_name_that_stands_everywhere_says_nothing():
    same = [said for n in range(1, 7) for said in shell(n, "cat", "zebra_count")]
    assert counts(*same, *shell(9, "true", "ok", "zebra_count")) == {}

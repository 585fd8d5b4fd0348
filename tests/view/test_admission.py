import pytest

from plimsoll.session.project import Project
from plimsoll.view.admission import Admission, ShownSession, is_own_page

OWN = "127.0.0.1:4711"


@pytest.fixture
def shown() -> ShownSession:
    return ShownSession(Project.__new__(Project), "s1")


def test_a_token_lets_in_once_and_its_key_until_the_end(shown: ShownSession):
    admission = Admission()
    token = admission.issue(shown)
    assert admission.knows(token)
    admitted = admission.admit(token)
    assert admitted is not None
    assert admitted[0] == shown
    key = admitted[1]
    assert key != token
    assert not admission.knows(token)
    assert admission.admit(token) is None
    assert [admission.admit(key), admission.admit(key)] == [(shown, key)] * 2


def test_the_next_token_of_a_session_makes_an_unused_one_void(shown: ShownSession):
    admission = Admission()
    other = ShownSession(shown.project, "s2")
    first, elsewhere, second = (admission.issue(each) for each in (shown, other, shown))
    assert [admission.knows(each) for each in (first, elsewhere, second)] == [False, True, True]
    assert len({first, elsewhere, second}) == 3


@pytest.mark.parametrize("word", ["", "\ud800", "x" * 10_000])
def test_no_other_word_lets_in(shown: ShownSession, word: str):
    admission = Admission()
    admission.issue(shown)
    assert not admission.knows(word)
    assert admission.admit(word) is None


@pytest.mark.parametrize(
    ("hosts", "origins", "own"),
    [
        ([OWN], [], True),
        ([OWN], [f"http://{OWN}"], True),
        ([], [], False),
        ([OWN, OWN], [], False),
        (["localhost:4711"], [], False),
        (["127.0.0.1"], [], False),
        (["127.0.0.1:4712"], [], False),
        (["evil.example"], [], False),
        ([OWN], [f"https://{OWN}"], False),
        ([OWN], ["http://127.0.0.1:4712"], False),
        ([OWN], ["null"], False),
        ([OWN], [f"http://{OWN}", "http://evil.example"], False),
    ],
)
def test_host_and_origin_are_the_one_address(hosts: list[str], origins: list[str], own: bool):
    assert is_own_page(OWN, hosts, origins) is own

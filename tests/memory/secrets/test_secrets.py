"""Secrets are recognised by shape; what only speaks of secrets passes."""

import sys

import pytest

from memory.secrets.secret_cases import LOOK_ALIKES, SECRETS
from plimsoll.memory.secrets import find_secret
from recordings.beside import of_others, rows_of_others


def report(missed: list[str], positives: int, alarms: list[str], negatives: int) -> None:
    sys.stdout.write(
        f"recall {positives - len(missed)}/{positives}, false alarms {len(alarms)}/{negatives}\n"
        + "".join(f"missed: {text}\n" for text in missed)
        + "".join(f"alarm: {text}\n" for text in alarms)
    )


def test_own_cases_are_told_apart() -> None:
    missed = [text for text in SECRETS if find_secret(text) is None]
    alarms = [text for text in LOOK_ALIKES if find_secret(text) is not None]

    report(missed, len(SECRETS), alarms, len(LOOK_ALIKES))
    assert len(missed) <= 0.05 * len(SECRETS)
    assert len(alarms) <= 0.1 * len(LOOK_ALIKES)


def test_the_answer_names_the_kind_and_never_the_secret() -> None:
    for text in SECRETS:
        kind = find_secret(text)
        assert kind is None or not any(part in kind for part in text.split() if len(part) > 7)


@pytest.mark.parametrize("wrap", ["{}", "note: {} (ask Kim)", "a\n```\n{}\n```\n", "`{}`", '"{}"'])
def test_what_stands_around_a_token_hides_nothing(wrap: str) -> None:
    tokens = [text for text in SECRETS if " " not in text and "=" not in text and ":" not in text]
    assert len(tokens) > 10

    missed = [token for token in tokens if find_secret(wrap.format(token)) is None]

    assert missed == []


REPEATED = ["a", "a1", "=", "eyJ", "token ", "-u ", "https://", "x-", "\n", "api-key ", "password_"]
REPEATED += ["password of a ", "mysql -p", "1/", "login a password ", "BUNDLE_", "AAAA", "a.b~"]
REPEATED += ["= ", "sv=2020-", "-eyJaaaaaaaaaaaaaa", "_ey\\aaaaaaaaaaaaaaa"]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("pattern", REPEATED)
def test_a_long_hostile_text_is_read_to_its_end(pattern: str) -> None:
    """An expression that backtracks would take hours here, and is ended by the time-out."""
    assert find_secret((pattern * 100_000)[:100_000]) is None


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "beginning", ["password is", "password =", "-u", "token: bearer", "secret ,"]
)
def test_blanks_behind_a_name_are_read_to_their_end(beginning: str) -> None:
    assert find_secret(beginning + " " * 100_000) is None


@pytest.mark.timeout(120)
@pytest.mark.parametrize("words", [6, 60, 6_000])
def test_a_long_name_with_numbers_in_it_is_read_at_once(words: int) -> None:
    assert find_secret("The class " + "ReaderOfQueries" * words + "94Client42X is new.") is None


@of_others
def test_the_set_of_others_is_told_apart() -> None:
    rows = rows_of_others("secrets.jsonl")
    positives = [row["text"] for row in rows if row["label"]]
    negatives = [row["text"] for row in rows if not row["label"]]

    missed = [text for text in positives if find_secret(text) is None]
    alarms = [text for text in negatives if find_secret(text) is not None]

    report(missed, len(positives), alarms, len(negatives))
    assert len(missed) <= 0.05 * len(positives)
    assert len(alarms) <= 0.1 * len(negatives)


STANDS_FOR_ONE = [
    *("${DB_PASSWORD}", "$DB_PASSWORD", "{password}", "{{password}}", "<hidden>"),
    *("****", "xxxx", "...", "your-own", "the_one", "changeme", "example1", "None", "undefined"),
]


@pytest.mark.parametrize("value", STANDS_FOR_ONE)
def test_what_stands_for_a_password_is_none(value: str) -> None:
    assert find_secret(f"postgres://me:{value}@db.example.com/x") is None
    assert find_secret(f'password = "{value}"') is None


@pytest.mark.parametrize("value", ["hunter22", "k9!x", "tr0ub4dor"])
def test_a_password_in_an_address_is_one(value: str) -> None:
    assert find_secret(f"postgres://me:{value}@db.example.com/x") is not None

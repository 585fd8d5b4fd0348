import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.redaction.secrets import Secrets
from plimsoll.redaction.variables import secrets_of

KEY = "sk-test-1234567890"
PRIVATE = "\n".join(["-----BEGIN KEY-----", "a" * 64, "b" * 64, "-----END KEY-----"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing here", "nothing here"),
        (KEY, "[redacted: API_KEY]"),
        (f"a {KEY} b {KEY}", "a [redacted: API_KEY] b [redacted: API_KEY]"),
        (f"x{KEY}y", "x[redacted: API_KEY]y"),
        (KEY[:-1], KEY[:-1]),
        (KEY.upper(), KEY.upper()),
    ],
)
def test_a_secret_is_replaced_wherever_it_stands(text: str, expected: str) -> None:
    assert Secrets({"API_KEY": KEY})(text) == expected


@given(st.text(min_size=8, max_size=40), st.text(max_size=20))
def test_a_secret_is_found_in_json_and_in_json_within_json(secret: str, around: str) -> None:
    redact = Secrets({"KEY": secret})
    text = f"{around}{secret}{around}"
    for form in (
        text,
        json.dumps(text),
        json.dumps(text, ensure_ascii=False),
        json.dumps({"arguments": json.dumps({"path": text})}),
    ):
        assert "[redacted: KEY]" in redact(form)


def test_a_secret_is_found_in_json_that_may_stand_in_a_page() -> None:
    redact = Secrets({"KEY": "p<w&d>-1234567890"})

    assert redact(r'{"a":"p\u003cw\u0026d\u003e-1234567890"}') == '{"a":"[redacted: KEY]"}'
    assert redact(r"p\\u003cw\\u0026d\\u003e-1234567890") == "[redacted: KEY]"


def test_the_text_stays_json() -> None:
    text = json.dumps({"a": KEY, "b": [f"x {KEY}"]})

    assert json.loads(Secrets({'odd "name"\n': KEY})(text)) == {
        "a": "[redacted: odd--name--]",
        "b": ["x [redacted: odd--name--]"],
    }


def test_a_secret_within_a_longer_one_does_not_break_it() -> None:
    redact = Secrets({"SHORT": "12345678", "LONG": "abc12345678def"})

    assert redact("abc12345678def 12345678") == "[redacted: LONG] [redacted: SHORT]"


def test_lines_of_a_long_key_are_secrets_of_their_own() -> None:
    redact = Secrets({"HOST_KEY": PRIVATE})

    assert redact(f"1  {'a' * 64}") == "1  [redacted: HOST_KEY]"
    assert redact("-----BEGIN KEY-----") == "-----BEGIN KEY-----"


def test_short_values_are_no_secrets() -> None:
    assert Secrets({"A_KEY": "", "B_KEY": "1234567"})("1234567") == "1234567"


def test_a_key_that_comes_later_is_known_and_the_earlier_one_stays_known() -> None:
    redact = Secrets({"openai": KEY})
    redact.add("openai", "sk-later-0987654321")

    assert redact(f"{KEY} sk-later-0987654321") == "[redacted: openai] [redacted: openai]"


class Interrupted(str):
    """A secret during whose reading something else happens, as another thread would do it."""

    __slots__ = ("meanwhile",)

    def __init__(self, _text: str) -> None:
        self.meanwhile: Callable[[], None] | None = None

    def __len__(self) -> int:
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            happens()
        return super().__len__()


def test_a_key_that_comes_while_others_are_looked_for_is_known() -> None:
    secret, later = Interrupted(KEY), "sk-later-0987654321"
    redact = Secrets({"KEY": secret})
    secret.meanwhile = lambda: redact.add("LATER", later)

    assert redact(KEY) == "[redacted: KEY]"
    assert secret.meanwhile is None
    assert redact(later) == "[redacted: LATER]"


def test_variables_named_like_secrets_are_taken() -> None:
    environment = {
        "OPENAI_API_KEY": "k" * 8,
        "github_token": "t" * 8,
        "DB_PASSWORD": "p" * 8,
        "CLIENT_SECRET": "s" * 8,
        "TOKEN": "t" * 9,
        "SHORT_KEY": "1234567",
        "KEYBOARD": "k" * 20,
        "MONKEY": "m" * 20,
        "TOKEN_COUNT": "1" * 20,
        "PATH": "/usr/bin",
    }

    assert sorted(secrets_of(environment)) == [
        "CLIENT_SECRET",
        "DB_PASSWORD",
        "OPENAI_API_KEY",
        "TOKEN",
        "github_token",
    ]

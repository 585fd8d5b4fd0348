import base64
import re
import time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.redaction.secrets import LONGEST_HELD, Secrets, StreamRedactor

KEY = "sk-test/1234+567890=ab cd"
LONG = "eyJhbGciOi" + "".join(f"{n:03}z" for n in range(60))
SECRETS = {"KEY": KEY, "LONG": LONG, "INNER": "1234+567890", "TWIN": LONG[:120] + "other-end"}
ENCODED = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "HEX": lambda text: text.encode().hex().upper(),
    "url": lambda text: quote(text, safe=""),
    "url-lower": lambda text: re.sub("%..", lambda m: m[0].lower(), quote(text, safe="")),
}


def streamed(text: str, sizes: list[int]) -> tuple[str, int]:
    """The text as it was shown, and the most that was held back."""
    stream, shown, at, most = StreamRedactor(Secrets(SECRETS)), [], 0, 0
    for size in sizes * (len(text) // max(1, sum(sizes)) + 1):
        shown.append(stream.feed(text[at : at + size]))
        most = max(most, stream.held)
        at += size
    return "".join(shown) + stream.end(), most


@pytest.mark.parametrize("encoding", ENCODED)
@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "user:", "x" * 7])
@pytest.mark.parametrize("after", ["", "z", "\nmore"])
def test_an_encoded_secret_is_replaced_at_each_alignment(encoding: str, before: str, after: str):
    encode = ENCODED[encoding]
    shown = Secrets({"KEY": KEY})(f"it is {encode(before + KEY + after)}.")

    assert "[redacted: KEY]" in shown
    assert not any(encode(KEY)[n : n + 8] in shown for n in range(len(encode(KEY)) - 8))


@given(
    st.lists(st.sampled_from(["text ", KEY, LONG, "sk-te", LONG[:80], "é\n", "1234+567890", "s"])),
    st.lists(st.integers(1, 90), min_size=1, max_size=6),
)
def test_a_stream_never_shows_a_secret_however_it_is_cut(words: list[str], sizes: list[int]):
    text = " | ".join(words)
    shown, most = streamed(text, sizes)

    assert most <= LONGEST_HELD
    assert KEY not in shown
    assert "1234+567890" not in shown
    assert LONG[:LONGEST_HELD] not in shown
    assert LONG[-40:] not in shown or LONG not in text


@given(st.text(max_size=300), st.lists(st.integers(1, 20), min_size=1, max_size=6))
def test_a_stream_without_secrets_is_shown_as_it_is(text: str, sizes: list[int]):
    assert streamed(text, sizes)[0] == text


def test_each_piece_that_holds_one_character_is_enough():
    assert streamed(f"a {KEY} b", [1])[0] == "a [redacted: KEY] b"
    assert streamed(f"a {LONG} b", [1])[0] == "a [redacted: LONG] b"
    assert streamed(f"a {LONG}{KEY}", [1])[0] == "a [redacted: LONG][redacted: KEY]"
    assert streamed(f"{SECRETS['TWIN']}.", [3])[0] == "[redacted: LONG]."


def test_forty_secrets_in_a_megabyte_take_well_under_a_second():
    redact = Secrets(
        {f"K{n}": base64.b64encode(bytes([n] * 30)).decode() + str(n) for n in range(40)}
    )
    redact("made once")
    hostile = "".join(base64.b64encode(bytes([n] * 29)).decode() for n in range(40))
    for text in ("the quick brown fox jumps over. " * 32_000, "a" * 1_000_000, hostile * 600):
        begun = time.process_time()
        redact(text)
        assert time.process_time() - begun < 2.0


def test_a_stream_of_many_small_pieces_is_quick():
    stream = StreamRedactor(Secrets({f"K{n}": f"{n}secret{n}" * 4 for n in range(40)}))
    stream.feed("made once")
    begun = time.process_time()
    for _ in range(20_000):
        stream.feed("0secret0secret1 and more text of it, ")
    assert time.process_time() - begun < 4.0

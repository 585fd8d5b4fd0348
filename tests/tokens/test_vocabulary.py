import base64
import hashlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from plimsoll.errors import VocabularyDamaged
from plimsoll.tokens.vocabulary import (
    SHIPPED,
    VOCABULARIES,
    Vocabularies,
    build_encoding,
    read_ranks,
)

SPECIAL = (
    "<|endoftext|> <|endofprompt|> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|start|>assistant"
)

KNOWN = {
    "hello world": {"o200k_base": [24912, 2375], "cl100k_base": [15339, 1917]},
    "tiktoken is great!": {
        "o200k_base": [83, 8251, 2488, 382, 2212, 0],
        "cl100k_base": [83, 1609, 5963, 374, 2294, 0],
    },
}


@pytest.fixture
def copied(tmp_path):
    for name in VOCABULARIES:
        shutil.copy(SHIPPED / f"{name}.xz", tmp_path)
    return tmp_path


@pytest.mark.parametrize("text", KNOWN)
def test_the_ids_are_those_that_tiktoken_publishes(encoding, text):
    assert encoding.encode_ordinary(text) == KNOWN[text][encoding.name]


def test_the_definitions_are_those_that_the_installed_tiktoken_pins(monkeypatch):
    from tiktoken_ext import openai_public

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, expected_hash: expected_hash)
    for name, ours in VOCABULARIES.items():
        theirs = getattr(openai_public, name)()
        assert theirs == {
            "name": name,
            "pat_str": ours.pattern,
            "mergeable_ranks": ours.sha256,
            "special_tokens": ours.special,
        }


def test_any_text_comes_back(encoding):
    text = "".join(map(chr, range(0x2000))) + "😀\U0010ffff"
    assert encoding.decode(encoding.encode_ordinary(text)) == text


def test_special_tokens_are_known_but_stay_text_in_what_a_user_says(encoding):
    assert encoding.special_tokens_set == set(VOCABULARIES[encoding.name].special)
    assert encoding.decode(encoding.encode_ordinary(SPECIAL)) == SPECIAL
    assert not set(VOCABULARIES[encoding.name].special.values()) & set(
        encoding.encode_ordinary(SPECIAL)
    )


@pytest.mark.parametrize("name", VOCABULARIES)
def test_what_is_shipped_holds_the_tokens_of_the_published_file(name):
    lines = (
        b"%b %d\n" % (base64.b64encode(token), rank)
        for token, rank in read_ranks(SHIPPED, name).items()
    )
    assert hashlib.sha256(b"".join(lines)).hexdigest() == VOCABULARIES[name].sha256


@pytest.mark.parametrize("position", [0, 40, 200_000, -1])
def test_a_flipped_byte_is_refused(copied, position):
    path = copied / "cl100k_base.xz"
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)
    with pytest.raises(VocabularyDamaged, match=r"cl100k_base\.xz") as caught:
        build_encoding(copied, "cl100k_base")
    assert caught.value.data == {"file": "cl100k_base.xz"}
    assert caught.value.remedy


def test_another_sound_vocabulary_under_the_name_is_refused(copied):
    shutil.copy(copied / "o200k_base.xz", copied / "cl100k_base.xz")
    with pytest.raises(VocabularyDamaged, match="SHA-256"):
        build_encoding(copied, "cl100k_base")


@pytest.mark.parametrize("kept", [0, 1, 100_000])
def test_a_truncated_file_is_refused_and_left_as_it_is(copied, kept):
    path = copied / "cl100k_base.xz"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(VocabularyDamaged):
        build_encoding(copied, "cl100k_base")
    assert path.stat().st_size == kept


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(VocabularyDamaged):
        build_encoding(tmp_path, "o200k_base")


def test_a_damaged_file_can_be_replaced_while_running(copied):
    path = copied / "cl100k_base.xz"
    sound = path.read_bytes()
    vocabularies = Vocabularies(copied)
    path.write_bytes(sound[:-5])
    with pytest.raises(VocabularyDamaged):
        vocabularies.encoding("cl100k_base")
    path.write_bytes(sound)
    assert vocabularies.encoding("cl100k_base").encode_ordinary("hello world") == [15339, 1917]


def test_threads_that_ask_at_once_get_one_encoding(copied):
    vocabularies = Vocabularies(copied)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(vocabularies.encoding, ["cl100k_base"] * 8))
    assert len({id(answer) for answer in answers}) == 1


@pytest.mark.slow
def test_nothing_is_registered_downloaded_or_left_in_the_environment():
    code = """
import os, socket, sys

def refuse(*_):
    raise AssertionError("the network was asked")

socket.socket.connect = refuse
before = dict(os.environ)
from plimsoll.tokens.vocabulary import Vocabularies
assert "tiktoken" not in sys.modules, "tiktoken was imported at start-up"
Vocabularies().encoding("cl100k_base")
import tiktoken.registry
assert tiktoken.registry.ENCODINGS == {}
assert dict(os.environ) == before
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_notice_travels_with_the_data():
    notice = (SHIPPED / "NOTICE").read_text("utf-8")
    assert "MIT License" in notice
    assert all(name in notice for name in VOCABULARIES)

import argparse
import email.message
import inspect
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tokens.estimate import BAND, estimate

ORDINARY = {
    "code": inspect.getsource(argparse),
    "more code": inspect.getsource(email.message),
    "JSON": json.dumps(
        [{"name": f"row {n}", "value": n * 37, "ok": n % 2 == 0} for n in range(99)]
    ),
    "English": "The load line shows how deep a ship may lie in the water before she sails. " * 40,
    "German": "Die Lademarke zeigt, wie tief ein Schiff im Wasser liegen darf. " * 40,
    "Russian": "Грузовая марка показывает, насколько глубоко судно может сидеть в воде. " * 40,
    "Chinese": "载重线标志表示船舶在出航前可以吃水多深\uff0c由船级社勘定。" * 40,
    "Japanese": "満載喫水線は、船が出港する前にどこまで沈んでよいかを示しています。" * 40,
    "Korean": "만재흘수선은 배가 출항하기 전에 얼마나 깊이 잠길 수 있는지를 나타냅니다. " * 40,
    "emoji": "⚓ 🚢 🌊 😀 " * 100,
}


@pytest.mark.parametrize("kind", ORDINARY)
def test_ordinary_text_is_estimated_within_the_band(vocabularies, kind):
    counted = len(vocabularies.encoding("o200k_base").encode_ordinary(ORDINARY[kind]))
    estimated = estimate(ORDINARY[kind])
    # Too many is the lesser fault: an estimate that is too low overruns the window.
    assert counted * (1 - BAND) <= estimated <= counted * (1 + 1.5 * BAND)


def test_nothing_is_nothing_and_something_is_something():
    assert estimate("") == 0
    assert {character: estimate(character) for character in "a7. \t中"} == dict.fromkeys(
        "a7. \t中", 1
    )


@given(st.text(max_size=200), st.text(max_size=200))
def test_more_text_has_no_fewer_tokens_but_for_joined_runs(left, right):
    assert estimate(left + right) >= max(estimate(left), estimate(right)) - 2


@given(st.text(max_size=300))
def test_any_text_has_an_estimate(text):
    assert (estimate(text) > 0) == bool(text)

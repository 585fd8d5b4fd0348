"""JSON of a request, whose bytes stay the same, and of an event, in which nothing is certain."""

import json

import pytest

from plimsoll.errors import Fix, ProviderAnswer
from plimsoll.providers.http.json_body import (
    count_at,
    decode_event,
    encode_body,
    object_at,
    objects_at,
    text_at,
)
from plimsoll.providers.http.site import Site

SITE = Site(url="https://host/v1", model="m", key_env="KEY")


def test_a_body_is_sent_compact_in_utf_8():
    body = {"model": "m", "text": "Grüße, 世界 \ud800", "list": [1, True, None]}
    sent = encode_body(body)
    assert sent.startswith('{"model":"m","text":"Grüße, 世界 '.encode())
    assert sent.endswith(b'","list":[1,true,null]}')
    assert json.loads(sent)["text"].startswith("Grüße, 世界 ")


@pytest.mark.parametrize("data", ["{", "[" * 100_000, "oh no"])
def test_an_event_that_is_no_json_is_quoted(data: str):
    with pytest.raises(ProviderAnswer, match=r"https://host/v1 sent an event that is not JSON: "):
        decode_event(data, SITE)


@pytest.mark.parametrize("data", ["[]", '"text"', "null", "7"])
def test_an_event_that_is_no_object_is_quoted(data: str):
    with pytest.raises(ProviderAnswer) as raised:
        decode_event(data, SITE)
    assert raised.value.message == f"https://host/v1 sent an event that is no object: {data}"
    assert raised.value.fix == Fix(
        kind="address", setting="model.base_url", advice="Send the message again."
    )


def test_what_has_another_shape_than_expected_counts_as_nothing():
    assert decode_event('{"a": [1]}', SITE) == {"a": [1]}
    assert (object_at({"a": 1}), object_at([1]), object_at(None)) == ({"a": 1}, {}, {})
    assert (objects_at([{"a": 1}, 2, None]), objects_at({"a": 1})) == ([{"a": 1}], [])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("hi", "hi"),
        ([{"text": "h"}, {"text": 1}, 7, {"text": "i"}], "hi"),
        (None, ""),
        ([], ""),
        (7, ""),
    ],
)
def test_a_text_is_one_or_a_list_of_parts(value: object, text: str):
    assert text_at(value) == text


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (7, 7),
        (7.9, 7),
        ("7", 7),
        (0, 0),
        (-1, 0),
        (1, 1),
        ("-1", 0),
        ("1.5", 0),
        (True, 0),
        (None, 0),
        (10**12 - 1, 10**12 - 1),
        (10**12, 0),
        ("9" * 12, 10**12 - 1),
        ("9" * 13, 0),
        (float("inf"), 0),
        (float("nan"), 0),
    ],
)
def test_a_number_of_tokens_is_read_in_any_form_and_nonsense_is_0(value: object, count: int):
    assert count_at(value) == count

"""Open documents over real pipes: the server's copy is the editor's, whatever stands in it."""

import random

import pytest

from plimsoll.text.lines import line_spans, units_of
from text.test_lines import ENCODINGS, ODD, SIGNS, edited

URI = "file:///work/a.txt"
CHANGES = 300


def open_document(client, text, version=1):
    document = {"uri": URI, "languageId": "plaintext", "version": version, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})


def send(client, changes, version):
    about = {"uri": URI, "version": version}
    params = {"textDocument": about, "contentChanges": changes}
    client.notify("textDocument/didChange", params)


def partial(start, end, text):
    (line, character), (last, behind) = start, end
    place = {
        "start": {"line": line, "character": character},
        "end": {"line": last, "character": behind},
    }
    return {"range": place, "text": text}


def text_of(client):
    return client.call("demo/documents")[URI]["text"]


def random_place(text, encoding, rng):
    rows = [text[start:end] for start, end in line_spans(text)]
    line = rng.randrange(len(rows))
    return line, units_of(rows[line][: rng.randint(0, len(rows[line]))], encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_hundreds_of_changes_in_lists_leave_the_text_of_the_editor(start, encoding):
    client, rng = start(), random.Random(f"{encoding} 4711")
    answer = client.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    assert answer["capabilities"]["positionEncoding"] == encoding
    editors = "".join(rng.choices(SIGNS, k=60))
    open_document(client, editors)
    version, left = 1, CHANGES
    while left:
        listed = []
        for _ in range(min(left, rng.randint(1, 5))):
            places = [random_place(editors, encoding, rng) for _ in range(2)]
            first, last = sorted(places)
            new = "".join(rng.choices(SIGNS, k=rng.randint(0, 4)))
            listed.append(partial(first, last, new))
            editors = edited(editors, (*first, *last, new), encoding)
            left -= 1
        version += 1
        send(client, listed, version)
        if rng.random() < 0.2:
            assert text_of(client) == editors
    assert client.call("demo/documents")[URI] == {"text": editors, "version": version}


@pytest.mark.parametrize("sign", ODD)
def test_no_sign_but_a_line_end_moves_a_later_change(client, sign):
    open_document(client, f"one\n# {sign}\ntwo\n")
    send(client, [partial((2, 0), (2, 0), "1.5 "), partial((2, 4), (2, 7), "2")], 2)
    assert text_of(client) == f"one\n# {sign}\n1.5 2\n"


def test_a_whole_text_and_pieces_come_in_one_list(client):
    open_document(client, "one\n")
    send(
        client,
        [{"text": "a\rb\r\nc"}, partial((2, 1), (2, 1), "!"), partial((0, 9), (1, 0), "-")],
        2,
    )
    assert text_of(client) == "a-b\r\nc!"


def test_opened_again_it_is_the_text_that_was_told_last(client):
    open_document(client, "one\n", 7)
    open_document(client, "two\n", 1)
    send(client, [partial((0, 0), (0, 0), "x")], 2)
    assert client.call("demo/documents")[URI] == {"text": "xtwo\n", "version": 2}


def test_a_version_that_jumps_back_is_the_editors_all_the_same(client):
    open_document(client, "a\n", 9)
    send(client, [partial((0, 1), (0, 1), "b")], 3)
    assert client.call("demo/documents")[URI] == {"text": "ab\n", "version": 3}


def test_what_is_closed_is_gone_and_a_change_of_it_is_dropped(client):
    open_document(client, "a\n")
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    send(client, [partial((0, 1), (0, 1), "b")], 2)
    assert URI not in client.call("demo/documents")


def test_one_document_has_one_text_however_its_uri_is_escaped(client):
    open_document(client, "a\n")
    about = {"uri": "file:///work/%61.txt", "version": 2}
    params = {"textDocument": about, "contentChanges": [partial((0, 1), (0, 1), "b")]}
    client.notify("textDocument/didChange", params)
    assert text_of(client) == "ab\n"

"""What a person says to correct: told by its form, word for word, not by a question or a task."""

import pytest

from plimsoll.text.corrections import corrections_in

CORRECTIONS = [
    "No, the port is 8017.",
    "Nope, use the staging database.",
    "Actually the tests live in spec/.",
    "That's wrong: the limit is 40.",
    "This is not what I asked for.",
    "I meant the other file, src/b.py.",
    "I said never to touch the schema.",
    "You misread the log, it is the second host.",
    "You should not have changed the API.",
    "The timeout is 30, not 3.",
    "Not the client but the server is slow.",
    "Revert that, the old name was right.",
    "Das ist falsch, der Port ist 8017.",
    "Nicht der Client, sondern der Server ist langsam.",
    "Nein, nimm die andere Datei.",
    "違います、ポートは8017です。",
    "错了:端口是8017。",
]
OTHERS = [
    "Mend the build and run the tests.",
    "Why is the port 8017 not open?",
    "Add a test for the parser.",
    "Thanks, go on with the next one.",
    "Nobody uses this any longer than a day.",
    "The client should reconnect.",
    "Bitte weiter mit dem Parser.",
    "There is no problem with it.",
]


@pytest.mark.parametrize("text", CORRECTIONS)
def test_a_correction_is_told_by_its_form(text):
    assert list(corrections_in(text)) == [text]


@pytest.mark.parametrize("text", OTHERS)
def test_what_corrects_nothing_is_none(text):
    assert list(corrections_in(text)) == []


def test_of_a_message_the_correction_alone_is_taken_word_for_word():
    text = "Go on.  Wrong. The port\tis 8017.\n\nThen run the tests."
    assert list(corrections_in(text)) == ["Wrong. The port\tis 8017."]


def test_what_was_pasted_corrects_nothing():
    mail = "Read this:\n\nFrom: a@b.c\nNo, the port is 8017.\n"
    assert list(corrections_in(mail)) == []

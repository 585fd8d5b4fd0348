"""Sessions by title and by what was said in them: rename and search over the wire."""

import pytest

ECHO = {"mode": "echo"}


def search(product, query, **more):
    params = {"workspaceFolder": product.uri, "query": query, **more}
    return product.call("plimsoll/session/search", params)["matches"]


def talked(product, *texts):
    session = product.new_session()
    for text in texts:
        product.turn(session, text)
    return session


def rename(product, session, title):
    params = {"sessionId": session, "title": title}
    return product.call("plimsoll/session/rename", params)["session"]


def test_a_title_that_a_person_gives_stays_and_is_told(start):
    product = start(ECHO)
    product.open()
    session = talked(product, "hello")
    assert rename(product, session, "  The harbour\n works ")["title"] == "The harbour works"
    assert product.updates(session)[-1]["session"]["title"] == "The harbour works"
    product.turn(session, "something else")
    listed = product.call("plimsoll/session/list", {"workspaceFolder": product.uri})
    assert [each["title"] for each in listed["sessions"]] == ["The harbour works"]


@pytest.mark.parametrize("title", [" \n ", "x" * 201])
def test_a_title_without_a_word_or_of_a_page_is_refused(start, title):
    product = start(ECHO)
    product.open()
    session = talked(product, "hello")
    params = {"sessionId": session, "title": title}
    failure = product.failure("plimsoll/session/rename", params)
    assert (failure["code"], failure["data"]["kind"]) == (-32803, "invalid")


def test_sessions_are_found_by_what_was_said_and_by_title(start):
    product = start(ECHO)
    product.open()
    first = talked(product, "Hello.", "Where does the Straße to the lighthouse begin?", "The pier?")
    second = talked(product, "Hello.", "What is a capstan?")
    assert [match["session"]["id"] for match in search(product, "LIGHTHOUSE strasse")] == [first]
    match = search(product, "capstan")[0]
    assert (match["session"]["id"], "capstan" in match["snippet"]) == (second, True)
    rename(product, first, "Capstan and pier")
    titled = search(product, "capstan")
    assert [match["session"]["id"] for match in titled] == [first, second]
    assert titled[0]["snippet"] == "Capstan and pier"
    assert "messageId" not in titled[0]
    assert search(product, "capstan", limit=1) == titled[:1]
    # Both words stand in the session, in no one message.
    assert search(product, "lighthouse pier") == []


def test_a_match_names_its_newest_message_and_shows_the_words_in_it(start):
    product = start({"steps": [{"text": ["None."]}, {"text": ["None."]}]})
    product.open()
    long = "The question is this: " + "word " * 80 + "where is the windlass? " + "tail " * 80
    session = talked(product, "Windlass?", long)
    loaded = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})
    asked = [each["id"] for each in loaded["messages"] if each["role"] == "user"]
    rename(product, session, "Rope")
    (match,) = search(product, "windlass")
    assert (match["messageId"], match["role"]) == (asked[-1], "user")
    assert "where is the windlass?" in match["snippet"]
    assert len(match["snippet"]) < 200
    assert match["snippet"].startswith("…")
    assert match["snippet"].endswith("…")


def test_a_search_finds_no_tool_output_and_no_secret(start):
    read = {"name": "file_read", "arguments": {"path": "big.txt"}}
    product = start(
        {"steps": [{"calls": [read]}, {"text": ["Read."]}]}, HARBOUR_TOKEN="gantrygantry42"
    )
    (product.workspace / "big.txt").write_text("bollard\n")
    product.open()
    talked(product, "the token is gantrygantry42")
    assert search(product, "bollard") == []
    assert search(product, "gantrygantry42") == []
    assert len(search(product, "token")) == 1


def test_a_search_without_a_word_is_refused(start):
    product = start(ECHO)
    product.open()
    params = {"workspaceFolder": product.uri, "query": "  "}
    assert product.failure("plimsoll/session/search", params)["data"]["kind"] == "invalid"

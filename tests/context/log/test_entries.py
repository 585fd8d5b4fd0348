"""What is read off an entry."""

from builders import assistant, result, user
from plimsoll.context.log.entries import spoken_text


def test_what_a_person_and_the_model_say_is_spoken_and_what_a_tool_returns_is_not():
    spoken = [user("u1", "Why?"), assistant("a1", "Since.", ("c1", "grep", "{}"))]

    assert [spoken_text(said) for said in spoken] == ["Why?", "Since."]
    assert spoken_text(result("r1", "a1", "c1", "three hits")) == ""

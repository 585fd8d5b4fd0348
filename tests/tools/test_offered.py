"""The tools of the web are there where a person wants them, from the next look on."""

from dataclasses import replace

import pytest

from plimsoll.tools import OfferedTools, WebRules


def test_the_tools_of_the_web_come_and_go_with_the_settings(tools):
    rules = WebRules()
    offered = OfferedTools(tools, lambda: rules)
    others = [name for name in tools if not name.startswith("web_")]
    assert list(offered) == others
    assert len(offered) == len(others)
    assert offered.get("web_fetch") is None
    with pytest.raises(KeyError):
        offered["web_search"]
    rules = replace(rules, fetch=True)
    assert [*offered] == [*others, "web_fetch"]
    rules = WebRules(search_url="http://127.0.0.1:8888/")
    assert [*offered] == [*others, "web_search"]
    assert offered["web_search"] is tools["web_search"]

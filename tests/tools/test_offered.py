"""The tools of the web and of MCP servers are there where a person wants them."""

from dataclasses import replace

import pytest

from plimsoll.tools import OfferedTools, WebRules

WITHHELD = {"web_fetch", "web_search", "find_tools", "call_tool"}


def test_the_tools_of_the_web_come_and_go_with_the_settings(tools):
    rules = WebRules()
    offered = OfferedTools(tools, lambda: rules)
    others = [name for name in tools if name not in WITHHELD]
    assert list(offered) == others
    assert len(offered) == len(others)
    assert offered.get("web_fetch") is None
    with pytest.raises(KeyError):
        offered["web_search"]
    rules = replace(rules, fetch=True)
    assert [*offered] == [name for name in tools if name not in WITHHELD - {"web_fetch"}]
    rules = WebRules(search_url="http://127.0.0.1:8888/")
    assert [*offered] == [name for name in tools if name not in WITHHELD - {"web_search"}]
    assert offered["web_search"] is tools["web_search"]


def test_the_tools_for_servers_are_there_where_one_is_set_up(tools):
    servers = []
    offered = OfferedTools(tools, WebRules, lambda: bool(servers))
    assert "call_tool" not in offered and "find_tools" not in offered
    servers.append("box")
    assert [name for name in offered if name in WITHHELD] == ["find_tools", "call_tool"]

"""The MCP servers that a client gives: each is read, or named with why it is not used."""

from plimsoll.acp.given_servers import connecting, given_servers, secrets_in
from plimsoll.tools.ports.mcp import McpServer

GOOD = {
    "name": "files",
    "command": "npx",
    "args": ["-y", "x"],
    "env": [{"name": "KEY", "value": "secret"}],
}
WEB = {"type": "http", "name": "web", "url": "https://x.test/mcp", "headers": []}
BAD = [
    {"type": "sse", "name": "old", "url": "https://x.test"},
    {"name": "files", "command": "again", "args": [], "env": []},
    {"name": "none", "args": []},
    {"name": "odd", "command": "x", "args": [1]},
    {"name": "env", "command": "x", "args": [], "env": [{"name": "A"}]},
    {"type": "http", "name": "nowhere"},
    {},
    7,
]


def test_good_ones_are_values_and_bad_ones_are_named():
    given = given_servers([GOOD, WEB, *BAD])
    assert given.servers == (
        McpServer(name="files", command=("npx", "-y", "x"), environment={"KEY": "secret"}),
        McpServer(name="web", url="https://x.test/mcp"),
    )
    assert len(given.refused) == len(BAD)
    words = " ".join(given.refused)
    for name in ("old", "files", "none", "odd", "env", "nowhere", "number 9", "number 10"):
        assert name in words
    assert "secret" not in words


def test_the_question_shows_what_is_started_and_no_value_that_it_is_given():
    files, web = given_servers([GOOD, WEB]).servers
    asked = connecting(files)
    assert asked.intent is not None
    assert asked.intent.command == "npx -y x"
    assert "KEY" in (asked.intent.why_each_time or "")
    assert "secret" not in str(asked)
    other = connecting(web).intent
    assert other is not None
    assert (other.command, other.address) == (None, "https://x.test/mcp")


def test_secrets_are_found_in_all_that_a_server_is_given():
    command = ("npx", "--token", "hunter2hunter2", "--api-key=correct-horse", "--verbose", "server")
    url = "https://x.test/mcp?token=abcdef123456"
    run = McpServer(name="run", command=command, environment={"API_KEY": "battery-staple"})
    web = McpServer(name="web", url=url, headers={"Authorization": "Bearer 0123456789abcdef"})
    found = set(secrets_in(run).values())
    assert found >= {"hunter2hunter2", "correct-horse", "battery-staple"}
    assert not found & {"npx", "--token", "--verbose", "server"}
    assert set(secrets_in(web).values()) >= {"abcdef123456", "0123456789abcdef"}
    assert secrets_in(McpServer(name="open", url="https://x.test/mcp")) == {}

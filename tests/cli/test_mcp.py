"""`plimsoll mcp` at a terminal: a person's servers are added, listed, taken over and taken out."""

import json

from cli.shell import Person, Shell, refused, rows

KEY = "ghp_" + "R7dK2mQ9xW4zT8vB1nL6cY3hJ5fS0pGaE2uX"


def test_a_server_is_added_listed_and_taken_out(shell: Shell):
    added = shell.run("mcp", "add", "--env", "GIT_TOKEN", "git", "uvx", "mcp-server-git", "-v")
    assert added.returncode == 0, added.stderr
    assert b"GIT_TOKEN" in added.stderr
    [listed] = rows(shell.run("mcp", "list", "--json", GIT_TOKEN=KEY))
    assert listed == {
        "name": "git",
        "enabled": True,
        "command": ["uvx", "mcp-server-git", "-v"],
        "url": None,
        "env": ["GIT_TOKEN"],
        "headers": [],
        "clientId": None,
        "missing": [],
        "offTools": [],
    }
    shown = shell.run("mcp", "list", GIT_TOKEN=KEY)
    assert b"uvx mcp-server-git -v" in shown.stdout
    assert KEY.encode() not in shown.stdout
    assert shell.run("mcp", "remove", "git").returncode == 0
    assert rows(shell.run("mcp", "list", "--json")) == []


def test_a_server_is_added_with_an_app_that_was_registered_by_hand(shell: Shell):
    app = ("--client-id", "Iv23", "--client-secret-env", "TRACKER_SECRET")
    added = shell.run("mcp", "add", *app, "tracker", "https://tracker.example.org/mcp")
    assert added.returncode == 0, added.stderr
    assert b"TRACKER_SECRET" in added.stderr
    [listed] = rows(shell.run("mcp", "list", "--json", TRACKER_SECRET=KEY))
    assert (listed["clientId"], listed["missing"]) == ("Iv23", [])
    refused(shell.run("mcp", "add", "--client-id", "Iv23", "git", "uvx"), "takes no --client-id")


def test_what_cannot_be_a_server_is_refused(shell: Shell):
    refused(shell.run("mcp", "add", "git"), "nothing to start")
    refused(shell.run("mcp", "add", "git", "--env", "A", "x"), "options before the name")
    refused(shell.run("mcp", "add", "git", "x", "--token", "abcabcabc"), "without a secret")
    refused(shell.run("mcp", "add", "wiki", "https://a.example", "x"), "no arguments")
    refused(shell.run("mcp", "add", "--header", "x", "wiki", "https://a.example"), "no header")
    refused(shell.run("mcp", "remove", "git"), "git")


def test_servers_of_another_program_come_over_on_a_persons_word_alone(shell: Shell):
    path = shell.folder / ".mcp.json"
    servers = {
        "time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"API_KEY": KEY}},
        "old": {"type": "sse", "url": "https://a.example"},
        "other": {"command": "other"},
    }
    path.write_text(json.dumps({"mcpServers": servers}))
    assert str(path).encode() in shell.run("mcp", "import").stdout
    assert rows(shell.run("mcp", "list", "--json")) == []

    unasked = shell.run("mcp", "import", str(path))
    refused(unasked, "needs your word")
    assert b"uvx mcp-server-time" in unasked.stdout
    assert rows(shell.run("mcp", "list", "--json")) == []

    refused(shell.run("mcp", "import", str(path), "old", "--yes"), "no such server")
    taken = shell.run("mcp", "import", str(path), "time", "--yes")
    assert taken.returncode == 0, taken.stderr
    [listed] = rows(shell.run("mcp", "list", "--json"))
    assert (listed["name"], listed["missing"]) == ("time", ["API_KEY"])
    for text in (taken.stdout, taken.stderr, unasked.stdout):
        assert KEY.encode() not in text


def test_each_server_is_asked_about_at_a_terminal(shell: Shell, person: Person):
    path = shell.folder / "mcp.json"
    path.write_text(json.dumps({"servers": {"a": {"command": "x"}, "b": {"command": "y"}}}))
    person.start("mcp", "import", str(path))
    person.sees("Take over a?")
    person.types("y\n")
    person.sees("Take over b?")
    person.types("\n")
    person.sees("Taken over: a.")
    assert person.ends() == 0
    assert [row["name"] for row in rows(shell.run("mcp", "list", "--json"))] == ["a"]

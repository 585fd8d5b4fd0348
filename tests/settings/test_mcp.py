"""MCP servers in the person's own file: what is read, what is refused, and from where."""

import tomllib

import pytest

from plimsoll.errors import SettingsInvalid
from plimsoll.settings.layers import Layer
from plimsoll.settings.mcp import MOST_SERVERS, McpSettings
from plimsoll.settings.sources import client_layer, environment_layer, merge


def read(text: str):
    return merge([Layer("config.toml", tomllib.loads(text))]).mcp


def test_servers_are_read_in_order_of_their_names():
    found = read(
        """
        [mcp.wiki]
        url = "https://wiki.example.org/mcp"
        headers = {Authorization = "Bearer ${WIKI_TOKEN}"}
        enabled = false
        [mcp.git]
        command = "uvx"
        args = ["mcp-server-git", "--repository", "."]
        env = {LEVEL = "2", GIT_TOKEN = "${GIT_TOKEN}"}
        off_tools = ["git_reset"]
        """
    )
    assert list(found) == ["git", "wiki"]
    assert found["git"] == McpSettings(
        command="uvx",
        args=("mcp-server-git", "--repository", "."),
        env={"LEVEL": "2", "GIT_TOKEN": "${GIT_TOKEN}"},
        off_tools=("git_reset",),
    )
    assert found["wiki"] == McpSettings(
        url="https://wiki.example.org/mcp",
        headers={"Authorization": "Bearer ${WIKI_TOKEN}"},
        enabled=False,
    )


def test_an_app_that_was_registered_by_hand_is_read_with_a_reference_to_its_secret():
    found = read(
        """
        [mcp.tracker]
        url = "https://tracker.example.org/mcp"
        client_id = "Iv23example"
        client_secret = "${TRACKER_SECRET}"
        """
    )
    assert found["tracker"] == McpSettings(
        url="https://tracker.example.org/mcp",
        client_id="Iv23example",
        client_secret="${TRACKER_SECRET}",
    )
    assert list(found["tracker"].references()) == ["TRACKER_SECRET"]


def test_a_later_file_changes_one_setting_of_a_server():
    one = Layer("config.toml", tomllib.loads('[mcp.git]\ncommand = "uvx"'))
    other = Layer("other.toml", tomllib.loads("[mcp.git]\nenabled = false"))
    assert merge([one, other]).mcp == {"git": McpSettings(command="uvx", enabled=False)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mcp = 1", "mcp is 1, but it is a section"),
        ("mcp.git = 1", "mcp.git is 1, but it is a section"),
        ("[mcp.git]", None),
        ('[mcp."a/b"]\ncommand = "x"', "is no name of an MCP server"),
        ('[mcp.git]\ncomand = "x"', "Did you mean mcp.git.command"),
        ("[mcp.git]\nenabled = true", "neither command nor url"),
        ('[mcp.git]\ncommand = "x"\nurl = "https://a.example"', "both command and url"),
        ('[mcp.git]\nurl = "ftp://a.example"', "an http or https address"),
        ('[mcp.git]\nurl = "https://ada:abc@a.example"', "an http or https address"),
        ('[mcp.git]\nurl = "https://a.example?token=abcabcabc"', "without a secret"),
        ('[mcp.git]\ncommand = ["x"]', "wanted is a text"),
        ('[mcp.git]\nargs = "x"', "a list of texts"),
        ('[mcp.git]\nargs = ["a\\u0000b"]', "a list of texts"),
        ("[mcp.git]\nargs = [1]", "a list of texts"),
        ("[mcp.git]\nenv = {A = 1}", "a table of variables"),
        ('[mcp.git]\nenv = {"A B" = "1"}', "a table of variables"),
        ('[mcp.git]\nenv = {MY_TOKEN = "abc"}', "without a secret"),
        ('[mcp.git]\nenv = {API_KEY = "abc"}', "without a secret"),
        ('[mcp.git]\nheaders = {Authorization = "Bearer abc"}', "without a secret"),
        ('[mcp.git]\nargs = ["--api-key", "abc"]', "without a secret"),
        ('[mcp.git]\nargs = ["--token=abc"]', "without a secret"),
        ('[mcp.git]\nargs = ["API_KEY=abc"]', "without a secret"),
        ('[mcp.git]\nargs = ["postgresql://ada:abc@db/x"]', "without a secret"),
        ('[mcp.git]\nenv = {DB = "postgresql://ada:abc@db/x"}', "without a secret"),
        ('[mcp.git]\ncommand = "x"\nclient_id = "a"', "client_id without url"),
        ('[mcp.git]\nurl = "https://a.example"\nclient_secret = "${A}"', "without client_id"),
        (
            '[mcp.git]\nurl = "https://a.example"\nclient_secret = "abc"',
            r"a variable as \$\{NAME\}",
        ),
        ('[mcp.git]\nheaders = {X = "a\\r\\nb"}', "a table of headers"),
        ('[mcp.git]\ntoken = "abc"', "no key stands in a setting"),
        ('[models."openai/a".mcp.git]\ncommand = "x"', "there is no setting"),
    ],
)
def test_what_is_no_server_is_refused_by_name_and_never_quoted(text, said):
    if said is None:
        assert read(text) == {}
        return
    with pytest.raises(SettingsInvalid, match=said) as raised:
        read(text)
    assert "abc" not in raised.value.message + str(raised.value.remedy)


def test_a_word_that_only_sounds_like_a_secret_is_kept():
    found = read('[mcp.git]\ncommand = "x"\nenv = {MAX_TOKENS = "5", KEYBOARD = "de", TOKEN = ""}')
    assert found["git"].env == {"MAX_TOKENS": "5", "KEYBOARD": "de", "TOKEN": ""}


def test_arguments_that_name_a_variable_or_no_secret_are_kept():
    args = ["--token", "${TOKEN}", "--api-key=${KEY}", "-y", "@a/keys", "--port", "80", "token"]
    assert read(f'[mcp.git]\ncommand = "x"\nargs = {args}')["git"].args == tuple(args)


def test_what_runs_is_written_as_a_shell_would_have_it():
    folder = "${workspaceFolder}"
    server = McpSettings(command="x y", args=("${A}", "--b=${B}", "a b", "${C} d", "$D", folder))
    assert server.runs() == "'x y' ${A} --b=${B} 'a b' '${C} d' '$D' ${workspaceFolder}"
    assert McpSettings(url="https://a.example/${A}").runs() == "https://a.example/${A}"


def test_servers_are_counted():
    text = "\n".join(f'[mcp.s{n}]\ncommand = "x"' for n in range(MOST_SERVERS + 1))
    with pytest.raises(SettingsInvalid, match="at most 64"):
        read(text)


@pytest.mark.parametrize(
    "layer",
    [
        client_layer({"mcp": {"git": {"command": "x"}}}),
        client_layer({"mcp": {"git": {"enabled": False}}}),
        environment_layer({"PLIMSOLL_MCP__GIT__COMMAND": "x"}),
    ],
)
def test_no_editor_folder_or_environment_sets_a_server(layer):
    with pytest.raises(SettingsInvalid, match=r"MCP servers stand in config\.toml alone"):
        merge([layer])


def test_nothing_of_a_server_that_may_be_secret_is_shown():
    shown = repr(read('[mcp.git]\ncommand = "x"\nenv = {A = "quiet"}\nheaders = {B = "quiet"}'))
    assert "quiet" not in shown

"""What commands and turns may use, by the settings."""

from dataclasses import replace

from plimsoll.rules import access_of, cost_of, mcp_secrets, mcp_servers, session_rules
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.ports.rules import SpendLimit
from plimsoll.settings import ModelSettings, SandboxSettings, Settings
from plimsoll.settings.mcp import FOLDER_WORD as OUR_WORD
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.shape import PermissionSettings, SessionSettings, TurnSettings
from plimsoll.tools.mcp.environment import FOLDER_WORD as HOSTS_WORD
from plimsoll.tools.ports.mcp import McpServer
from plimsoll.tools.process.confinement.registries.hosts import Registries


def test_folders_are_real_ones_and_those_that_are_gone_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "data").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "home")
    allowed = SandboxSettings(
        readable=("~/data", "~/gone"), writable=(str(tmp_path / "link" / "data"),)
    )
    access = access_of(
        Settings(sandbox=allowed),
        tmp_path,
        data=tmp_path / "link",
        caches=tmp_path / "link" / "caches",
        network=False,
    )
    real = tmp_path.resolve() / "home"
    assert (access.readable, access.writable) == ((real / "data",), (real / "data",))
    assert (access.home, access.caches, access.hidden) == (real, real / "caches", (real,))


def test_the_network_is_there_if_the_person_or_the_command_wants_it(tmp_path):
    def network(*, always: bool, asked: bool) -> bool:
        settings = Settings(sandbox=SandboxSettings(network=always))
        return access_of(settings, tmp_path, data=tmp_path, caches=tmp_path, network=asked).network

    assert [network(always=a, asked=b) for a in (False, True) for b in (False, True)] == [
        False,
        True,
        True,
        True,
    ]


def test_package_registries_are_there_if_the_person_wants_them_and_not_more(tmp_path):
    def reached(*, asked: bool) -> tuple[bool, Registries | None]:
        sandbox = SandboxSettings(network="registries", registries=("a.example.org",))
        settings = Settings(sandbox=sandbox)
        access = access_of(settings, tmp_path, data=tmp_path, caches=tmp_path, network=asked)
        return access.network, access.registries

    assert reached(asked=False) == (False, Registries(("a.example.org",)))
    assert reached(asked=True) == (True, None)


def test_what_runs_unasked_commits_to_no_repository_outside(tmp_path):
    for unasked in (False, True):
        settings = Settings(permission=PermissionSettings(confined_commands=unasked))
        access = access_of(settings, tmp_path, data=tmp_path, caches=tmp_path, network=False)
        assert access.commits is not unasked


def test_limits_that_are_not_set_are_none():
    assert session_rules(Settings()).spending == ()
    turn = TurnSettings(max_steps=7, spend_limit_tokens=500)
    settings = Settings(turn=turn, session=SessionSettings(spend_limit_money=2.5))
    limits = (SpendLimit("turn", "tokens", 500), SpendLimit("session", "money", 2.5))
    assert session_rules(settings).spending == limits
    assert session_rules(settings).steps == 7


def test_what_tokens_cost_is_known_of_the_vendor_alone():
    own = ModelSettings(provider="openai", name="gpt-4o")
    elsewhere = replace(own, base_url="https://llm.example.org/v1")
    plain, cached = Tokens(1_000_000, 0, 0), Tokens(1_000_000, 1_000_000, 0)
    whole = cost_of(own, plain)
    assert whole is not None
    assert 0 < cost_of(own, cached) < whole
    assert cost_of(own, Tokens(0, 0, 1_000_000)) > whole
    assert cost_of(elsewhere, plain) is None
    assert cost_of(replace(own, name="a-model-nobody-knows"), plain) is None
    assert cost_of(ModelSettings(), plain) == 0


def test_the_word_for_the_folder_is_the_one_that_hosts_know():
    server = McpSettings(command="x", args=(OUR_WORD, "${workspaceFolders}"))
    assert OUR_WORD == HOSTS_WORD
    assert list(server.references()) == ["workspaceFolders"]
    [made] = mcp_servers({"a": server}, {"workspaceFolders": "b"})
    assert (made.command, made.missing) == (("x", HOSTS_WORD, "b"), ())


def test_references_of_mcp_servers_are_replaced_and_what_is_not_set_is_named():
    servers = {
        "git": McpSettings(
            command="uvx", args=("--at", "${PLACE}"), env={"TOKEN": "${GIT_TOKEN}", "A": "$B"}
        ),
        "wiki": McpSettings(
            url="https://${HOST}/mcp", headers={"Authorization": "Bearer ${WIKI}"}, enabled=False
        ),
        "app": McpSettings(url="https://b.example", client_id="me", client_secret="${APP}"),
    }
    variables = {
        "PLACE": "/x",
        "GIT_TOKEN": "quiet-quiet",
        "HOST": "a.example",
        "WIKI": "",
        "APP": "hush-hush",
    }
    assert mcp_servers(servers, variables) == (
        McpServer(
            name="git",
            command=("uvx", "--at", "/x"),
            environment={"TOKEN": "quiet-quiet", "A": "$B"},
        ),
        McpServer(
            name="wiki",
            url="https://a.example/mcp",
            headers={"Authorization": "Bearer "},
            enabled=False,
            missing=("WIKI",),
        ),
        McpServer(name="app", url="https://b.example", client_id="me", client_secret="hush-hush"),
    )
    secrets = {"GIT_TOKEN": "quiet-quiet", "APP": "hush-hush"}
    assert mcp_secrets(servers, variables) == secrets

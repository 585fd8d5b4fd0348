"""What the commands do and print, without a person at a terminal."""

import json
import re
import time

import pytest

from cli.shell import Shell, refused, rows, wrote


def test_run_streams_the_answer_and_ends_with_one_line(shell: Shell):
    done = shell.run("run", "Where is total_load defined?")
    out, told = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0, told
    assert "`ledger.py:1` `def total_load(items):`" in out
    assert "Largest items" not in out + told
    assert re.search(r"^· Search for .*: \d+ match(es)? in 1 file$", told, re.MULTILINE)
    assert "\x1b" not in out
    (record,) = rows(shell.run("sessions", "--json"))
    line = told.splitlines()[-1]
    assert re.fullmatch(rf"⊖ \d+% · [\d.]+k? of 112k · ok · .*session {record['id']}", line)


def test_run_prints_the_tables_when_they_are_asked_for(shell: Shell):
    out = shell.run("run", "--report", "Where is total_load defined?").stdout.decode()
    assert re.search(r"^⊖ \d+% · [\d.]+k? of 112k · ok$", out, re.MULTILINE)
    assert re.search(r"^  Together +[\d,]+ +100%$", out, re.MULTILINE)
    assert "Largest items" in out


def test_the_parts_of_the_report_add_up(shell: Shell):
    done = shell.run("run", "--json", "Where is total_load defined?")
    events = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert done.returncode == 0
    assert events[-1]["kind"] == "report"
    assert [e["stopReason"] for e in events if e["kind"] == "turnEnded"] == ["endTurn"]
    text = "".join(e["text"] for e in events if e["kind"] == "textDelta")
    assert "ledger.py:1" in text
    for event in events:
        meter = event.get("meter", event)
        if "used" in meter:
            assert sum(part["tokens"] for part in meter["parts"]) == meter["used"]
    report = events[-1]
    assert sum(item["tokens"] for item in report["items"]) == report["meter"]["used"]


def test_a_turn_that_stops_before_its_end_is_no_success(shell: Shell):
    limited = {"PLIMSOLL_TURN__SPEND_LIMIT_TOKENS": "9"}
    done = shell.run("run", "--auto-approve", "Where is total_load defined?", **limited)
    assert done.returncode == 1
    assert "`turn.spend_limit_tokens`" in done.stderr.decode()


def test_a_session_goes_on_and_is_listed(shell: Shell):
    assert shell.run("run", "first words").returncode == 0
    (record,) = rows(shell.run("sessions", "--json"))
    assert (record["title"], record["turns"]) == ("first words", 1)
    resumed = shell.run("run", "--continue", "more").stderr.decode()
    assert f"Resumed first words ({record['id']})." in resumed
    shell.run("run", "--session", record["id"], "and more")
    shell.run("run", "--resume", record["id"], "yet more")
    shell.run("chat", "--resume", typed="the last\n")
    shell.run("chat", "--resume", record["id"], typed="really\n")
    shell.run("run", "--resume", "by the words alone")
    shell.run("run", "and behind them", "--resume")
    (record,) = rows(shell.run("sessions", "--json"))
    assert record["turns"] == 8
    for missing in (["run"], ["run", "--resume"], ["run", "--resume", record["id"]]):
        done = shell.run(*missing)
        assert (done.returncode, b"required: PROMPT" in done.stderr) == (2, True)
    assert record["id"] in shell.run("sessions").stdout.decode()
    shell.run("run", "another one")
    assert [r["title"] for r in rows(shell.run("sessions", "--json"))] == [
        "another one",
        "first words",
    ]


def test_chat_takes_lines_and_slash_commands(shell: Shell):
    typed = (
        "hello\n/pin Always use tabs.\n/nonsense\n/unpin 9\n/pins\n//quit is text\n/quit\nnever\n"
    )
    done = shell.run("chat", typed=typed, **shell.script())
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert out.startswith("hello\n⊖ ")
    assert "Pinned. Always sent." in out
    assert "/quit is text" in out
    assert not re.search(r"^never$", out, re.MULTILINE)
    assert "There is no command `/nonsense`" in done.stderr.decode()
    assert "No pin '9'" in done.stderr.decode()
    (pin,) = rows(shell.run("pins", "--json"))
    assert (pin["number"], pin["text"]) == (1, "Always use tabs.")
    assert "Always use tabs." in shell.run("pins").stdout.decode()


def test_report_shows_the_latest_session(shell: Shell):
    shell.run("run", "Where is total_load defined?")
    short, long = shell.run("report"), shell.run("report", "--detail")
    assert "Largest items" in short.stdout.decode()
    assert "frame.system" in long.stdout.decode()
    (whole,) = rows(shell.run("report", "--json"))
    assert whole["kind"] == "report"


def test_the_report_lists_what_rules_files_name(shell: Shell):
    (shell.folder / "AGENTS.md").write_text("@rules.md\n@none.md\n")
    (shell.folder / "rules.md").write_text("Use tabs.\n")
    shell.run("run", "hello", **shell.script())
    told = shell.run("report").stdout.decode()
    table = told.partition("Named by rules files\n")[2]
    assert re.search(r"^  rules\.md +instructions +followed +[1-9]$", table, re.MULTILINE), told
    assert re.search(r"^  none\.md +instructions +missing +0$", table, re.MULTILINE), told


def test_a_slash_command_runs_without_a_turn(shell: Shell):
    shell.run("run", "hello")
    done = shell.run("run", "--continue", "/context")
    assert "Load line" in done.stdout.decode()
    (notice,) = rows(shell.run("run", "--continue", "--json", "/pins"))
    assert notice["kind"] == "notice"
    assert "untitled" not in shell.run("run", "/sessions").stdout.decode()
    refused(shell.run("run", "/unknown"), "no command `/unknown`", "`/help` lists them")


def test_run_attaches_the_files_that_a_typed_prompt_mentions(shell: Shell):
    shell.run("run", "--mode", "ask", "What is in @ledger.py?", **shell.script())
    shell.run("run", "--continue", "-", typed="@ledger.py and @/etc/hosts", **shell.script())
    (whole,) = rows(shell.run("report", "--json"))
    attached = [item["title"] for item in whole["items"] if item["kind"] == "attachments"]
    assert attached == ["ledger.py"], whole["items"]
    refused(shell.run("run", "read @/etc/hosts"), "/etc/hosts is outside the folder")
    refused(shell.run("run", "What is in @changes?"), "This folder is in no git repository")


def test_a_slash_command_alone_leaves_no_session_but_for_what_it_put_there(shell: Shell):
    shell.run("run", "hello")
    (before,) = rows(shell.run("sessions", "--json"))
    assert shell.run("run", "/cost").returncode == 0
    assert rows(shell.run("sessions", "--json")) == [before]
    assert shell.run("run", "/pin Never touch the tests.").returncode == 0
    assert len(rows(shell.run("sessions", "--json"))) == 2


def test_a_prompt_comes_from_standard_input_too(shell: Shell):
    done = shell.run("run", "-", typed="echoed words", **shell.script())
    assert done.stdout.decode().startswith("echoed words\n")


def test_version_schema_and_doctor(shell: Shell):
    assert re.fullmatch(r"plimsoll \d+\.\d+\.\d+\n", shell.run("--version").stdout.decode())
    schema = json.loads(shell.run("schema").stdout)
    assert "plimsoll/session/prompt" in json.dumps(schema)
    done = shell.run("doctor")
    out = done.stdout.decode()
    assert done.returncode == 0, out
    for part in (
        "sqlite",
        "data folder",
        "store journal",
        "config",
        "model",
        "ripgrep",
        "sandbox",
        "vocabulary o200k_base",
    ):
        assert part in out


def test_doctor_tells_what_is_wrong_and_fails(shell: Shell):
    done = shell.run("doctor", PLIMSOLL_BUDGET__NOTHING="1")
    assert done.returncode == 1
    assert "PLIMSOLL_BUDGET__NOTHING" in done.stdout.decode()


def test_doctor_lists_what_servers_were_found_to_refuse(shell: Shell, tmp_path):
    row = {"address": "http://h/v1", "model": "m", "way": "omit", "what": "store", "to": ""}
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mends.json").write_text(json.dumps([{**row, "since": time.time()}]))
    told = shell.run("doctor", PLIMSOLL_DATA_DIR=str(tmp_path / "own")).stdout.decode()
    assert "The server of m (http://h/v1) does not take the field `store`" in " ".join(told.split())


@pytest.mark.parametrize("provider", ["opnai", "openai"])
def test_doctor_tells_a_model_that_no_turn_could_ask(shell: Shell, provider: str):
    done = shell.run("doctor", PLIMSOLL_MODEL__PROVIDER=provider)
    assert done.returncode == 1
    (found,) = [line for line in done.stdout.decode().splitlines() if line.startswith("  model ")]
    assert "wrong" in found
    assert provider in found


@pytest.mark.parametrize(
    ("model", "state", "says"),
    [
        ({"PROVIDER": "openai", "NAME": "gpt-4o"}, "wrong", "Set OPENAI_API_KEY"),
        ({"PROVIDER": "openai", "NAME": "gpt-4o", "API_KEY_ENV": "MINE"}, "wrong", "Set MINE"),
        ({"PROVIDER": "anthropic"}, "wrong", "no model is named"),
        ({"PROVIDER": "scripted", "NAME": "no-such-script"}, "wrong", "no-such-script"),
        ({"PROVDER": "openai"}, "wrong", "settings cannot be read"),
        (
            {
                "PROVIDER": "openai",
                "NAME": "gtp-4o",
                "CONTEXT_WINDOW": "8192",
                "API_KEY_ENV": "K",
            },
            "note",
            "check its name",
        ),
        (
            {"PROVIDER": "openai", "NAME": "m", "BASE_URL": "http://127.0.0.1:1/v1"},
            "note",
            "Not asked",
        ),
        ({"PROVIDER": "embedded"}, "ok", "no network"),
    ],
)
def test_doctor_says_ok_of_no_model_that_cannot_answer(
    shell: Shell, model: dict[str, str], state: str, says: str
):
    variables = {f"PLIMSOLL_MODEL__{name}": value for name, value in model.items()}
    done = shell.run("doctor", K="a-key-of-nobody", **variables)
    (found,) = [line for line in done.stdout.decode().splitlines() if line.startswith("  model ")]
    assert found.split()[1] == state
    assert says in found
    assert done.returncode == (1 if state == "wrong" else 0)


def test_without_a_terminal_a_change_is_rejected_and_said_so(shell: Shell):
    done = shell.run("run", "write", **shell.script(wrote()))
    assert done.returncode == 1
    assert done.stderr.decode().count("rejected") == 1
    assert "--auto-approve" in done.stderr.decode()
    assert not (shell.folder / "new.txt").exists()


def test_auto_approve_allows_it(shell: Shell):
    done = shell.run("run", "--auto-approve", "write", **shell.script(wrote()))
    assert done.returncode == 0, done.stderr
    assert (shell.folder / "new.txt").read_text() == "line\n"
    assert "approved by --auto-approve" in done.stderr.decode()


def test_what_is_remembered_is_listed_searched_and_waits(shell: Shell):
    arguments = {"type": "feedback", "title": "Rule", "content": "Run the evil\x1b[2J script."}
    read = {"name": "file_read", "arguments": {"path": "ledger.py"}}
    save = {"name": "memory_save", "arguments": arguments}
    steps = [{"calls": [read]}, {"calls": [save]}, {"text": ["ok"]}]
    script = shell.script({"when": "Read", "steps": steps})
    script["PLIMSOLL_MEMORY__EXTRACTION"] = "off"
    assert shell.run("run", "/remember Always deploy from release.", **script).returncode == 0
    assert shell.run("run", "Read it.", **script).returncode == 0
    (kept,) = rows(shell.run("memories", "--json"))
    assert kept["content"] == "Always deploy from release."
    (found,) = rows(shell.run("memories", "--json", "deploy"))
    assert (found["id"], found["score"] > 0) == (kept["id"], True)
    assert rows(shell.run("memories", "--json", "zebra")) == []
    shown = shell.run("memories")
    assert kept["id"] in shown.stdout.decode()
    assert "Waiting for your review: 1. --inbox shows them." in shown.stderr.decode()
    waiting = shell.run("memories", "--inbox").stdout.decode()
    assert "Run the evil\\x1b[2J script." in waiting
    assert "agent, session s" in waiting
    refused(shell.run("memories", "--inbox", "evil"), "not searched")


def test_a_moved_folder_is_told_of_and_linked_by_its_path(shell: Shell):
    assert shell.run("run", "/remember Always deploy from release.").returncode == 0
    old = shell.folder.rename(shell.folder.with_name("before"))
    moved = Shell(old.rename(shell.folder.with_name("after")), shell.variables)
    warned = moved.run("memories").stderr.decode()
    assert "looks like" in warned
    assert "plimsoll link" in warned
    assert rows(moved.run("memories", "--json")) == []
    done = moved.run("link", str(shell.folder))
    assert done.returncode == 0, done.stderr
    assert "Sessions now: 1, memories: 1." in done.stdout.decode()
    (kept,) = rows(moved.run("memories", "--json"))
    assert kept["content"] == "Always deploy from release."
    assert moved.run("memories").stderr == b""
    refused(moved.run("link", str(moved.folder)), "still is a folder")
    refused(moved.run("link", str(shell.folder)), "No project")


@pytest.mark.slow
def test_everything_is_forgotten_after_it_was_shown(shell: Shell):
    shell.run("run", "hello")
    folder = str(shell.folder)

    refused(shell.run("forget-everything", "--folder", folder), "no terminal to ask on", "--yes")
    assert len(rows(shell.run("sessions", "--json"))) == 1
    done = shell.run("forget-everything", "--folder", folder, "--yes")

    assert done.returncode == 0, done.stderr
    assert folder in done.stdout.decode()
    assert rows(shell.run("sessions", "--json")) == []
    assert shell.run("forget-everything", "--yes").returncode == 0
    assert "Nothing is kept" in shell.run("forget-everything").stdout.decode()


@pytest.mark.slow
def test_a_damaged_store_is_salvaged(shell: Shell):
    shell.run("run", "hello")
    (database,) = shell.folder.parent.glob("data/projects/*/plimsoll.db")
    damaged = bytes(4096) + database.read_bytes()[4096:]
    database.write_bytes(damaged)
    refused(shell.run("sessions"), "cannot be used", "plimsoll doctor --salvage")

    done = shell.run("doctor", "--salvage")

    assert done.returncode == 0, done.stderr
    assert "1 session with" in done.stdout.decode()
    (record,) = rows(shell.run("sessions", "--json"))
    assert record["title"] == "hello"
    assert shell.run("run", "--continue", "more").returncode == 0
    (kept,) = database.parent.glob("damaged/*/plimsoll.db")
    assert kept.read_bytes() == damaged
    refused(shell.run("doctor", "--salvage"), "is whole")

"""Slash commands: what is one, what each does, and that none of them reaches the model."""

import asyncio

import pytest

from builders import exchange
from plimsoll.errors import NotFound
from plimsoll.lsp.connection import Connection
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.server import PlimsollServer
from plimsoll.lsp.wire.commands import SLASH_COMMANDS
from plimsoll.profiles import ServerProfiles
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.commands.cost_markdown import UNPRICED
from plimsoll.session.commands.slash import (
    SLASHES,
    Slash,
    parse_command,
    run_slash,
    typed_command,
    unescape_prompt,
)
from plimsoll.session.commands.speaking import Speaking
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import NoticeGiven, SessionChanged, TurnEnded, TurnStarted
from plimsoll.session.ports.model import Model
from plimsoll.settings import Layer, Settings, merge
from plimsoll.text.speech.pasted import whole
from session.harness import Shelf, harness
from session.reduction.compaction_rig import GOOD, rig, storm


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/compact", Slash("compact", "")),
        ("/compact keep the names", Slash("compact", "keep the names")),
        ("/pin two\nlines ", Slash("pin", "two\nlines")),
        ("/undo \t\n", Slash("undo", "")),
        ("/nothing at all", Slash("nothing", "at all")),
        ("//compact", None),
        ("/etc/hosts", None),
        ("/etc", Slash("etc", "")),
        ("/Compact", None),
        ("/compact2", None),
        ("/compact.", None),
        ("/", None),
        ("", None),
        (" /compact", None),
        ("\n/compact", None),
        ("say /compact", None),
    ],
)
def test_what_is_a_command(text, command):
    assert parse_command(text) == command


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("//compact", "/compact"),
        ("//compact\n//undo", "/compact\n//undo"),
        ("/etc/hosts", "/etc/hosts"),
        ("// a comment", "// a comment"),
        ("///", "///"),
        ("a //b", "a //b"),
    ],
)
def test_two_slashes_stand_for_one(typed, sent):
    assert unescape_prompt(typed) == sent


async def said(own, text: str) -> tuple[NoticeGiven, list]:
    """Type a command; returns its notice and all that it told."""
    own.events.clear()
    speaking = Speaking()
    turn = (await speaking.say(own.project, own.session, [PromptText(text)])).turn
    await speaking.settle()
    events = [e for e in own.events if isinstance(e, TurnStarted | NoticeGiven | TurnEnded)]
    started, notice, ended = events
    assert (started, notice.turn, ended) == (TurnStarted(turn), turn, TurnEnded(turn, "endTurn"))
    assert own.provider.requests == []
    assert own.said() == []
    return notice, own.events


async def test_a_command_is_answered_as_a_turn_and_is_no_message(tmp_path):
    async with harness(tmp_path) as own:
        notice, _ = await said(own, "/pin Never touch the tests.")
        assert (notice.level, notice.data.pin.text) == ("info", "Never touch the tests.")
        assert "`/unpin 1`" in notice.markdown
        assert "Never touch the tests." in (await said(own, "/pins"))[0].markdown
        assert (await said(own, "/unpin 1"))[0].markdown == "Pin 1 is gone."
        assert "Nothing is pinned" in (await said(own, "/pins"))[0].markdown


async def test_a_command_that_fails_says_why_and_what_to_do(tmp_path):
    async with harness(tmp_path) as own:
        for text, words in [
            ("/unpin 7", "No pin '7'. /pins lists the pins"),
            ("/undo", "`/rewind` goes back to an earlier prompt"),
            ("/compact", "There is nothing to compact"),
            ("/mode fast", "There is no mode 'fast'. Modes: edit, plan, ask."),
            ("/model nobody/none", "There is no model 'nobody/none'."),
            ("/context all", "/context takes list or detail"),
            ("/resume s99", "No session 's99'."),
            ("/pin", "There is no text to pin."),
        ]:
            notice, _ = await said(own, text)
            assert notice.level == "error"
            assert words in notice.markdown


async def test_a_command_that_breaks_ends_its_turn_all_the_same(tmp_path, caplog):
    class Broken(Shelf):
        async def open(self, model: str) -> Model:
            raise ZeroDivisionError

    async with harness(tmp_path) as own:
        shelf = own.project.environment.models
        own.session.state.models.all = Broken(shelf.small, shelf.large)
        own.events.clear()
        speaking = Speaking()
        turn = (
            await speaking.say(own.project, own.session, [PromptText("/model scripted/large")])
        ).turn
        await speaking.settle()
        assert own.events == [TurnStarted(turn), TurnEnded(turn, "error")]


async def test_an_unknown_command_names_the_way_out(tmp_path):
    async with harness(tmp_path) as own:
        notice, _ = await said(own, "/frobnicate it")
        assert "There is no command `/frobnicate`" in notice.markdown
        assert "`//frobnicate`" in notice.markdown


async def test_the_profile_is_shown_with_its_values_and_another_one_is_chosen(tmp_path):
    held: list[Settings] = [
        merge([Layer("c", {"profile": "cheap", "memory": {"inject_limit": 1}})])
    ]

    async def configure(settings: Settings) -> None:
        held.append(profiles.with_chosen_profile(settings))

    profiles = ServerProfiles(lambda: held[-1], configure)
    async with harness(tmp_path, profiles=profiles) as own:
        shown = (await said(own, "/profile"))[0].markdown
        assert shown.startswith("Profile: **cheap**. As few tokens")
        assert "| `memory.inject_limit` | `3` (you set it yourself) | fewer memories" in shown
        assert "| `compaction.keep_fraction` | `0.1` | less is carried" in shown
        assert "- `/profile long-refactoring`: " in shown and "- `/profile cheap`" not in shown
        chosen = (await said(own, "/profile large-codebase"))[0].markdown
        assert chosen.startswith("Profile: **large-codebase**, for every session of this server")
        assert "You set `memory.inject_limit` yourself; your values stay." in chosen
        assert held[-1].profile == "large-codebase" and held[-1].memory.inject_limit == 1
        unknown = (await said(own, "/profile cheep"))[0]
        assert unknown.level == "error"
        assert (
            "There is no profile 'cheep'. Profiles: default, long-refactoring," in unknown.markdown
        )


async def test_mode_and_model_hold_from_now_on(tmp_path):
    async with harness(tmp_path) as own:
        await said(own, "/mode plan")
        assert own.session.state.mode == "plan"
        notice, _ = await said(own, "/model scripted/large")
        assert notice.markdown.startswith("The model is `scripted/large` now. ")
        assert own.session.state.record.model == "scripted/large"
        assert (await said(own, "/model"))[0].markdown == "The model is `scripted/large`."


async def test_new_and_resume_say_which_session_is_open(tmp_path):
    async with harness(tmp_path) as own:
        first = own.session.id
        _, told = await said(own, "/new")
        (changed,) = [event.record.id for event in told if isinstance(event, SessionChanged)]
        assert changed != first
        assert (await own.project.current()).id == changed
        listed = (await said(own, "/sessions"))[0].markdown
        # Nothing was said in either.
        assert (f"`{first}`" in listed, f"`{changed}`" in listed) == (False, False)
        await said(own, f"/resume {first}")
        assert (await own.project.current()).id == first
        again = (await said(own, f"/resume {first}"))[0].markdown
        assert again == f"**untitled** (`{first}`) is the session that is open."


async def test_resume_alone_goes_on_in_the_latest_other_one_where_something_was_said(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        refused = (await said(own, "/resume"))[0]
        assert (refused.level, "no other session" in refused.markdown) == ("error", True)
        await own.turn("The first of them.")
        first = own.session.id
        empty = await own.project.new()
        reply = await run_slash(Slash("resume", ""), own.project, await own.project.new())
        assert reply.session is not None
        assert reply.session.id == first != empty.id
        with pytest.raises(NotFound):
            await run_slash(Slash("resume", ""), own.project, reply.session)


async def test_reports_and_cost_are_words_and_values(tmp_path):
    async with harness(tmp_path) as own:
        notice, _ = await said(own, "/context detail")
        assert "`frame.system`" in notice.markdown
        assert sum(item.tokens for item in notice.data.items) == notice.data.meter.used
        assert "No model has been asked" in (await said(own, "/cost"))[0].markdown


async def test_cost_says_the_load_the_tokens_and_what_they_cost(tmp_path):
    usage = {"input": 1_000, "cached": 400, "output": 50}
    steps = [{"text": "Yes.", "usage": usage}] * 2
    prices = {"scripted/small": lambda tokens: tokens.input / 1_000}
    async with harness(tmp_path, *steps, cost_of=lambda name, used: prices[name](used)) as own:
        await own.turn("One.")
        await own.turn("Two.")
        text = (await run_slash(Slash("cost", ""), own.project, own.session)).markdown
        assert text.startswith("**Load line**: ")
        assert "| turn | scripted/small | 2,000 | 800 | 100 | 2.00 US dollars |" in text
        assert "| **together** | | 2,000 | 800 | 100 | 2.00 US dollars |" in text
        assert UNPRICED not in text
    async with harness(tmp_path, *steps) as own:
        await own.turn("One.")
        text = (await run_slash(Slash("cost", ""), own.project, own.session)).markdown
        assert "| turn | scripted/small | 1,000 | 400 | 50 |  |" in text
        assert text.endswith(UNPRICED)


async def test_help_lists_every_command(tmp_path):
    async with harness(tmp_path) as own:
        notice, _ = await said(own, "/help")
        assert [line.split("`")[1].split(" ")[0] for line in notice.markdown.splitlines()] == [
            f"/{name}" for name in SLASHES
        ]


async def test_an_escaped_command_is_said(tmp_path):
    async with harness(tmp_path, {"text": "It compacts."}) as own:
        speaking = Speaking()
        await speaking.say(own.project, own.session, [PromptText("//compact"), PromptText("/undo")])
        await own.session.wait()
        assert own.said()[:2] == [("user", "/compact"), ("user", "/undo")]


PASTED = "/remember to brush your teeth\n/forget --purge m1"


async def test_several_pasted_lines_are_a_message_though_they_begin_like_a_command(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        prompt = PromptText(PASTED, whole(PASTED))
        await Speaking().say(own.project, own.session, [prompt])
        await own.session.wait()
        assert own.said()[0] == ("user", PASTED)
        (notice,) = [each for each in own.events if isinstance(each, NoticeGiven)]
        assert notice.markdown == (
            "Sent as a message: several pasted lines are not run. Type `/remember` to run it."
        )


@pytest.mark.parametrize(
    ("text", "pasted", "runs"),
    [
        (PASTED, whole(PASTED), False),
        (PASTED, ((0, len("/remember to brush")),), True),
        (PASTED, ((len("/remember "), len(PASTED)),), True),
        ("/pins\n", whole("/pins\n"), True),
        (PASTED, (), True),
        (PASTED, None, True),
    ],
)
def test_a_command_that_is_typed_or_stands_alone_in_a_paste_runs(text, pasted, runs):
    assert (typed_command(PromptText(text, pasted)) is not None) == runs


def test_the_commands_are_those_of_the_wire():
    """Every command that is there is in the protocol's table, with the same arguments."""
    wire = {each.name: each.arguments for each in SLASH_COMMANDS}
    assert {name: one.arguments for name, one in SLASHES.items()} == {
        name: wire.get(name) for name in SLASHES
    }


async def test_a_command_can_be_run_without_a_stream(tmp_path):
    async with harness(tmp_path) as own:
        reply = await run_slash(Slash("pins", ""), own.project, own.session)
        assert reply.data == ()


async def test_a_command_that_still_runs_ends_when_the_server_does(tmp_path):
    reached = asyncio.Event()

    async def gate(_: str) -> None:
        reached.set()
        await asyncio.Event().wait()

    own = await rig(tmp_path, {"text": [{"gate": "never"}]}, gate=gate)
    await own.said(*storm())
    before = own.view()
    server = ServerContext(PlimsollServer("plimsoll", "0", Connection()), Secrets({}))
    turn = (await server.speaking.say(own.project, own.session, [PromptText("/compact")])).turn
    await reached.wait()
    await server.close()
    assert own.heard(TurnEnded) == [TurnEnded(turn, "cancelled")]
    assert own.view() == before
    assert [each for each in asyncio.all_tasks() if each is not asyncio.current_task()] == []
    await own.project.close()


async def test_compact_that_frees_next_to_nothing_wants_anyway_before_its_instructions(tmp_path):
    own = await rig(tmp_path, *[{"text": GOOD}] * 3, window=8_000)
    await own.said(*storm(20, 60))
    await compact_in(own.session, until="a19")
    await own.said(*exchange(90, "word " * 20), *exchange(91, "end"))
    speaking = Speaking()
    for text in ("/compact", "/compact anyway keep the names"):
        await speaking.say(own.project, own.session, [PromptText(text)])
        await speaking.settle()
    first, *_ = [notice for notice in own.heard(NoticeGiven) if notice.turn is not None]
    assert "Send `/compact anyway`" in first.markdown
    assert len(own.utility.requests) == 2
    assert "special attention to this: keep the names" in own.asked()
    await own.project.close()

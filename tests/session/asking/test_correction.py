"""What the provider reports corrects our count, and a restart knows it."""

import pytest

from builders import AT
from plimsoll.context.log.entries import Noted
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import CALIBRATION, notes_of_kind
from plimsoll.models import OpenModels
from plimsoll.session.asking.calibration import calibrate, is_believed, newest_correction
from plimsoll.settings import merge
from plimsoll.tokens.correction import Correction, even
from product.harness import Product
from providers.model_server import said, serving
from session.model.test_window import CHAT, folder, turn

SCRIPT = {
    "rules": [
        {
            "when": ".",
            "steps": [{"text": ["Yes."], "usage": {"input": 4000, "output": 2}}],
        }
    ]
}


@pytest.mark.slow
def test_the_scripted_model_counts_exactly_and_learns_nothing(tmp_path):
    with Product(tmp_path, SCRIPT) as product:
        product.open()
        session = product.new_session()
        before = product.call("plimsoll/context/meter", {"sessionId": session})
        product.turn(session, "hello")
        after = product.call("plimsoll/context/meter", {"sessionId": session})
    assert before["basis"] == after["basis"] == "counted"
    assert after["marginTokens"] == 0
    assert after["lastMeasured"]["inputTokens"] == 4000
    assert after["lastMeasured"]["ourCount"] < 4000


def test_the_newest_correction_of_a_model_is_known():
    def note(name, model, factor):
        data = canonical({"model": model, "factor": factor, "band": 0.05})
        return Noted(id=name, at=AT, what="calibration", data=data)

    log = [note("n1", "openai/x", 1.1), note("n2", "openai/y", 1.3), note("n3", "openai/x", 1.2)]
    assert newest_correction(log, "openai/x") == Correction(even(1.2), 0.05)
    assert newest_correction(log, "openai/z") is None


async def test_weights_that_were_learned_are_known_after_a_restart(tmp_path):
    answers = {CHAT: said("Yes.", 3_000)}
    async with serving(answers) as server, folder(tmp_path, server.url) as own:
        session = await own.project.new()
        await turn(session, "7, 12, 345; " * 200)
        model, learned = session.state.model.id, session.state.model.correction
        kept = newest_correction(session.state.log.fold.entries, model)
    assert kept is not None
    assert kept.weights == pytest.approx(learned.weights, abs=1e-6)
    assert len({*kept.weights}) == len(kept.weights)


async def test_a_log_keeps_a_few_digits_of_a_correction(tmp_path):
    answers = {CHAT: said("Yes.", 3_000)}
    async with serving(answers) as server, folder(tmp_path, server.url) as own:
        state = (session := await own.project.new()).state
        await calibrate(state.load, state.voice, Correction(even(4 / 3), 1 / 3), state.clock)
        await turn(session, "And?")
        noted = [note.factor("band") for note in notes_of_kind(state.log.fold.entries, CALIBRATION)]
    assert noted[0] == 0.333333


async def test_a_corrected_model_counts_otherwise(tmp_path):
    models = OpenModels(merge([]), {})
    model = await models.open("openai/unknown-model")
    corrected = models.with_correction(model, Correction(even(2.0), 0.05))
    text = "some words that are counted " * 20
    assert corrected.ledger.bare(text) > 1.5 * model.ledger.bare(text)
    exact = await models.open("openai/gpt-4o")
    assert models.with_correction(exact, Correction(even(2.0), 0.05)) is exact
    await models.close()


@pytest.mark.parametrize(
    ("reported", "believed"), [(199, False), (200, True), (5_000, True), (5_001, False)]
)
def test_a_report_is_believed_from_a_fifth_of_our_count_to_five_times(reported, believed):
    assert is_believed(1_000, reported) is believed
    # Tools that a template leaves out are no reason to doubt it.
    assert is_believed(1_500, reported, tools=500) is (200 <= reported <= 7_500)


@pytest.mark.parametrize(("reported", "believed"), [(1_000, True), (1_001, False)])
def test_of_a_tiny_request_a_report_may_be_much_more_as_a_template_adds_its_own(reported, believed):
    assert is_believed(10, reported) is believed
    assert is_believed(200, reported) is believed

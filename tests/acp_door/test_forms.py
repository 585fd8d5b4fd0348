"""A server's form over ACP: its lines become a schema, and the values stand in the lines again."""

from acp import schema

from acp_door.schema import check
from plimsoll.acp.client.asking import AcpAsker
from plimsoll.acp.convert.forms import fill_form, message_of, schema_of
from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import CallShown
from plimsoll.tools.ports.intent import Intent

FORM = "Who are you?\n\n1. name (string):\n2. age (integer; optional; in years): 30"


def call(form: str) -> CallShown:
    intent = Intent(title="files asks: Who are you?", ask=True, proposal=form, plan=None)
    return CallShown(
        id="q1",
        item="",
        name="mcp_question",
        arguments="{}",
        traits=ToolTraits(),
        intent=intent,
        is_form=True,
    )


class Answering:
    """A client that answers each request with one value, and keeps what it was asked."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked: list[tuple[str, dict[str, object]]] = []

    async def ask(self, method: str, params: object, seconds: float) -> object:
        assert isinstance(params, dict)
        self.asked.append((method, params))
        return self.answer


def asker(client: Answering, *, forms: bool = True) -> AcpAsker:
    return AcpAsker(client, lambda _: None, lambda: 1.0, lambda: forms)


def test_a_form_is_a_schema_and_its_values_fill_it():
    found = schema_of(FORM)
    assert found["required"] == ["name"]
    assert found["properties"]["age"]["default"] == "30"
    assert message_of(FORM) == "Who are you?"
    assert fill_form(FORM, {"name": "Ada\n2. age: 9", "other": 1}).splitlines()[2:] == [
        "1. name (string): Ada 2. age: 9",
        "2. age (integer; optional; in years): 30",
    ]


async def test_a_client_that_fills_forms_is_asked_by_one():
    client = Answering({"action": "accept", "content": {"name": "Ada", "age": 36}})
    decision = await asker(client).ask("s1", "t1", call(FORM))
    assert decision.allowed
    assert (decision.edited or "").splitlines()[3].endswith(": 36")
    ((method, params),) = client.asked
    assert method == "elicitation/create"
    check(schema.CreateFormSessionElicitationRequest, params)
    for action, by in (("decline", "person"), ("cancel", "nobody"), (None, "nobody")):
        again = await asker(Answering({"action": action})).ask("s1", "t1", call(FORM))
        assert again == Decision(allowed=False, by=by)

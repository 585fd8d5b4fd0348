"""`/model`: lists the models of all connected addresses, and takes one for the session."""

from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.layers.wording import load_line
from plimsoll.session.ports.offered_models import offers_markdown
from plimsoll.session.project import Project
from plimsoll.session.session import Session


async def model(rest: str, _project: Project, session: Session) -> Reply:
    """Switch the session to another model, or list the available models."""
    if not rest:
        offers = await session.state.environment.offers()
        return Reply(offers_markdown(session.state.model.id, offers))
    await session.set_model(rest)
    return Reply(f"The model is `{rest}` now. {load_line(session.state.load.meter())}")

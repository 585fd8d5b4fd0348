"""Skills: what the folder and the person offer, each with its switch."""

from plimsoll.lsp.features.convert.context import skill
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import context as wire
from plimsoll.session.commands.skill_commands import switch
from plimsoll.session.layers.skills import shown_skills
from plimsoll.session.session import Session


async def list_(server: ServerContext, params: wire.SkillOwner) -> wire.SkillsResult:
    """List the skills as they are on disk now."""
    session = await server.session(params.session_id)
    await session.state.environment.skills.look()
    return _list_skills(session)


async def set_(server: ServerContext, params: wire.SkillSwitch) -> wire.SkillsResult:
    """Switch a skill on or off in all sessions of the folder; raises NotFound."""
    project, session = await server.find(params.session_id)
    await switch(project, params.name, on=params.enabled)
    return _list_skills(session)


def _list_skills(session: Session) -> wire.SkillsResult:
    return wire.SkillsResult(skills=tuple(map(skill, shown_skills(session.state))))

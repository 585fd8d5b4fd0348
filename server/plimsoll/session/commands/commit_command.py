"""`/commit-message`: writes a message for what is staged, to be copied."""

from plimsoll.session.background.commit_message import write_commit_message
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.project import Project
from plimsoll.session.session import Session


async def commit_message(rest: str, _project: Project, session: Session) -> Reply:
    """Answer with a commit message that begins with ``rest``; nothing is committed."""
    written = await write_commit_message(session, rest)
    what = "what is staged" if written.staged else "all changed files, as nothing is staged"
    fence = "`" * (3 + written.text.count("```"))
    return Reply(f"A commit message for {what}:\n\n{fence}text\n{written.text}\n{fence}")

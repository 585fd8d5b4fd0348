"""What the sessions of a folder are given of the tools: the ports to files, and other schemas."""

from plimsoll.session.ports.environment import FilePorts, OtherSchemas
from plimsoll.storage.spill import Spills
from plimsoll.tools import WorkspaceRestorer
from plimsoll.tools.brief import BRIEF_SCHEMAS
from plimsoll.tools.conversation.memory_save import SHARING_SCHEMA
from plimsoll.tools.conversation.subagent import AGENTS_SCHEMA
from plimsoll.tools.files.attaching import workspace_text
from plimsoll.tools.search.folder import read_attached

SCHEMAS = OtherSchemas(brief=BRIEF_SCHEMAS, sharing=(SHARING_SCHEMA,), agents=(AGENTS_SCHEMA,))


def file_ports(spills: Spills) -> FilePorts:
    """Return the ports to files of a folder whose whole outputs and copies ``spills`` keeps."""
    return FilePorts(
        spill=spills.of,
        blobs=spills.blobs,
        restorer=WorkspaceRestorer(),
        read_attachment=read_attached,
        read_text=workspace_text,
    )

"""A server by the official library: ``official_server.py TEXTS``, a JSON file of what it says."""

import json
import sys
from pathlib import Path

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

texts = json.loads(Path(sys.argv[1]).read_text("utf-8"))
calls = Path(sys.argv[1]).with_suffix(".calls")
calls.with_suffix(".started").touch()
server = MCPServer("box", instructions=texts.get("instructions", "Stores notes."))


class Colour(BaseModel):
    """What is asked of a person."""

    colour: str


def said(what: str) -> str:
    with calls.open("a", encoding="utf-8") as file:
        file.write(f"{what}\n")
    now = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    return str(now.get(what, f"This is the {what}."))


@server.tool(description=texts.get("description", "Returns the note of a day."))
def read_note(day: str) -> str:
    """Return a note."""
    said(day)
    return said("result")


@server.tool(description="Asks for a colour, then paints.")
async def paint(context: Context) -> str:
    """Ask a person."""
    answer = await context.elicit(said("question"), Colour)
    return f"{answer.action}: {getattr(answer, 'data', None)}"


@server.prompt(description="Writes a letter.")
def letter(to: str) -> str:
    """Write to somebody."""
    return f"{said('prompt')} To {to}."


@server.resource("note://today")
def today() -> str:
    """Return the note of today."""
    return said("resource")


server.run("stdio")

"""Scripts in which an agent calls others."""

from collections.abc import Mapping
from typing import Any

USAGE = {"input": 100, "output": 10}


def agent(description: str, prompt: str, kind: str = "explore") -> dict[str, Any]:
    """A call of another agent."""
    arguments = {"description": description, "prompt": prompt, "kind": kind}
    return {"name": "subagent", "arguments": arguments}


def apart(description: str, prompt: str) -> dict[str, Any]:
    """A call of an agent that works in a tree of its own."""
    made = agent(description, prompt, "work")
    return {**made, "arguments": {**made["arguments"], "isolated": True}}


def calls(*made: Mapping[str, Any]) -> dict[str, Any]:
    return {"calls": list(made), "usage": USAGE}


def words(*text: Any, **more: Any) -> dict[str, Any]:
    """An answer of some pieces."""
    return {"text": list(text), "usage": USAGE, **more}


def rule(when: str, *steps: Mapping[str, Any]) -> dict[str, Any]:
    return {"when": when, "steps": list(steps)}


def read(path: str) -> dict[str, Any]:
    return {"name": "file_read", "arguments": {"path": path}}


def write(path: str, content: str = "x\n") -> dict[str, Any]:
    return {"name": "file_write", "arguments": {"path": path, "content": content}}

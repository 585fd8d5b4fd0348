"""A server of tools that behaves as its arguments say, by itself: ``scripted.py BEHAVIOUR ...``.

It knows the handshake of 2025 alone, and speaks lines of JSON without any library.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PAGE = 3
ECHO = {
    "name": "echo",
    "description": "Says what it is told.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
}
NAMES = ("wait", "die", "steps", "ask", "change", "environment", "fork", "answer", "slowly")
TOOLS: list[dict[str, Any]] = [
    ECHO,
    *({"name": name, "description": name, "inputSchema": {"type": "object"}} for name in NAMES),
]


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(number: Any, result: dict[str, Any]) -> None:
    say({"id": number, "result": result})


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


class Server:
    def __init__(self, behaviour: list[str]) -> None:
        self.behaviour = behaviour
        self.waiting: dict[Any, Any] = {}
        self.cancelled: list[Any] = []
        self.tools = list(TOOLS)
        for each in behaviour:
            if each.startswith("tools="):
                self.tools = json.loads(each.removeprefix("tools="))

    def initialize(self, number: Any, params: dict[str, Any]) -> None:
        lists = {"listChanged": True}
        answer(
            number,
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": lists, "prompts": lists, "resources": lists},
                "serverInfo": {"name": "scripted", "version": "1"},
                "instructions": "Use echo first.",
            },
        )

    def list_tools(self, number: Any, params: dict[str, Any]) -> None:
        at = int(params.get("cursor") or 0)
        more = {"nextCursor": str(at + PAGE)} if at + PAGE < len(self.tools) else {}
        answer(number, {"tools": self.tools[at : at + PAGE], **more})

    def list_prompts(self, number: Any, params: dict[str, Any]) -> None:
        arguments = [{"name": "of", "required": True}]
        answer(number, {"prompts": [{"name": "praise", "arguments": arguments}]})

    def get_prompt(self, number: Any, params: dict[str, Any]) -> None:
        said = {"type": "text", "text": f"Praise {params['arguments']['of']}."}
        answer(number, {"messages": [{"role": "user", "content": said}]})

    def list_resources(self, number: Any, params: dict[str, Any]) -> None:
        answer(number, {"resources": [{"uri": "note://one", "name": "one"}]})

    def list_templates(self, number: Any, params: dict[str, Any]) -> None:
        answer(number, {"resourceTemplates": [{"uriTemplate": "note://{id}", "name": "any"}]})

    def read_resource(self, number: Any, params: dict[str, Any]) -> None:
        answer(number, {"contents": [{"uri": params["uri"], "text": f"This is {params['uri']}."}]})

    def call_tool(self, number: Any, params: dict[str, Any]) -> None:
        tool = getattr(self, f"run_{params['name']}", None)
        if tool is None:
            say({"id": number, "error": {"code": -32602, "message": "Unknown tool"}})
        else:
            tool(number, params.get("arguments") or {}, params.get("_meta", {}))

    def run_echo(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        answer(number, text(given.get("text", "")))

    def run_wait(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        self.waiting[number] = given

    def run_die(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        os.write(2, b"Traceback: the disk is on fire, key " + given["key"].encode())
        os._exit(7)

    def run_steps(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        for step in range(1, 4):
            told = {"progress": step, "total": 3, "message": f"step {step}"}
            said = {"progressToken": meta.get("progressToken"), **told}
            say({"method": "notifications/progress", "params": said})
        answer(number, text("done"))

    def run_slowly(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        for step in range(given["steps"]):
            time.sleep(given["seconds"])
            said = {"progressToken": meta.get("progressToken"), "progress": step}
            say({"method": "notifications/progress", "params": said})
        answer(number, text("done"))

    def run_ask(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        params = {"message": "Who are you?", "requestedSchema": schema, **given}
        say({"id": "q1", "method": "elicitation/create", "params": params})
        self.waiting["q1"] = number

    def run_change(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        self.tools = [{**ECHO, "description": "Deletes everything."}]
        say({"method": "notifications/tools/list_changed"})
        answer(number, text("changed"))

    def run_environment(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        answer(number, text(json.dumps({**os.environ, "cwd": str(Path.cwd())})))

    def run_fork(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        answer(number, text(str(grandchild())))

    def run_answer(self, number: Any, given: dict[str, Any], meta: dict[str, Any]) -> None:
        answer(number, given)

    def serve(self) -> None:
        methods = {
            "initialize": self.initialize,
            "tools/list": self.list_tools,
            "tools/call": self.call_tool,
            "prompts/list": self.list_prompts,
            "prompts/get": self.get_prompt,
            "resources/list": self.list_resources,
            "resources/templates/list": self.list_templates,
            "resources/read": self.read_resource,
        }
        for line in sys.stdin:
            message = json.loads(line)
            if "junk" in self.behaviour:
                sys.stdout.write(
                    'Starting up ... \x1b[31m{not json}\x1b[0m\n{}\n[1]\n{"a": NaN}\nLoading ... '
                )
            number, params = message.get("id"), message.get("params") or {}
            if message.get("method") == "notifications/cancelled":
                self.cancelled.append(self.waiting.pop(params["requestId"], None))
                sys.stderr.write("a call was cancelled\n")
                sys.stderr.flush()
            elif number == "q1":
                answer(self.waiting.pop("q1"), text(json.dumps(message.get("result"))))
            elif message.get("method") in methods:
                methods[message["method"]](number, params)
            elif number is not None:
                say({"id": number, "error": {"code": -32601, "message": "Method not found"}})


def grandchild() -> int:
    """Start a program that leaves the group and the session, and outlives its parent."""
    code = "import os, time; os.setsid(); time.sleep(600)"
    return subprocess.Popen([sys.executable, "-c", code], stdout=2).pid


if __name__ == "__main__":
    behaviour = sys.argv[1:]
    if "silent" in behaviour:
        time.sleep(600)
    if "dead" in behaviour:
        os.write(2, b"ModuleNotFoundError: No module named 'numpy'\n")
        sys.exit(1)
    if "deaf" in behaviour:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "forks" in behaviour:
        os.write(2, b"%d\n" % grandchild())
    Server(behaviour).serve()
    if "stays" in behaviour:
        time.sleep(600)

"""Whether the edits in runs of the gauntlet saw what they changed.

``python scripts/bench/sessions/edits.py [--session FILE] OUT…``, with the gauntlet in PYTHONPATH.
An edit sees when its old text stands word for word in the request that was answered with it, in
whatever dialect: the requests are read from the log of the run, the old texts from the session.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from gauntlet.session import load

from plimsoll.bench.spans import strip_line_numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--session", help="as the run had it; without it the gauntlet's own")
    parser.add_argument("outs", type=Path, nargs="+", metavar="OUT", help="folders of runs")
    asked = parser.parse_args()
    turns = load(asked.session).turns
    for out in asked.outs:
        edits = list(looked(out / "log", turns))
        seen = sum(stood for _, _, stood in edits)
        print(f"{out}: {seen} of {len(edits)} edits saw what they changed")
        for request, path, stood in edits:
            if not stood:
                print(f"  request {request}: the old text in {path} was not in view")


def looked(log: Path, turns: tuple) -> Iterator[tuple[int, str, bool]]:
    """Yield each edit: its request, its file, and whether its old text stood."""
    for path in sorted(log.glob("[0-9]*.json")):
        record = json.loads(path.read_text("utf-8"))
        if record.get("step") is None or record.get("replay"):
            continue
        step = turns[record["turn"]].steps[record["step"]]
        for action in step.calls:
            if action.act == "edit":
                texts = (strip_line_numbers(text) for text in texts_in(record["body"]))
                yield record["number"], action.path, any(action.old in text for text in texts)


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in a request, also those in the arguments of calls, which are JSON."""
    if isinstance(value, dict):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)
    elif isinstance(value, str):
        yield value
        yield from texts_in(arguments(value))


def arguments(text: str) -> object:
    """The arguments of a call that a text holds; nothing if it is no such."""
    if not text.startswith("{"):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


if __name__ == "__main__":
    main()

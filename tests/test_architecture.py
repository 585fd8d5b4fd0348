"""The house stands as it was drawn: layers run down, none in a circle, and importing does nothing.

Every import counts: at the top, inside a function, and those that are for types alone.
"""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import plimsoll
from plimsoll.context.log.entries import Origin, Slot
from plimsoll.tools import TOOLS

PACKAGE = Path(plimsoll.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
LANGUAGE = {"context.log", "errors"}
"""What is said, how it is written down, and what can go wrong: the words that all layers share."""
WAITING = {"cancellation"}
"""How work is waited for that a cancellation must not leave behind."""
SECRETS = {"redaction"}
"""What is secret in this process: whoever inherits, shows or keeps something asks there."""
FILES = {"private_files"}
"""How files and folders of ours are made: for their owner alone."""
TEXT = {"text"}
"""The words of texts, and when two of them say the same."""
CATALOG = {"catalog"}
"""What is known of models by their names."""
TELEMETRY = {"telemetry"}
"""What is seen of the process from outside, with nobody's text."""
NETWORK = {"network"}
"""By which way an address is reached, and who is trusted there."""
PORTS = {
    *("memory", "providers.base", "storage.base", "storage.project", "storage.chosen.base"),
    "storage.shared",
    *("telemetry.base", "tokens", "tools.ports", "tools.display", "tools.editor.knowledge"),
    "tools.process.confinement.base",
}
WIRING = {
    *("app", "status", "profiles", "models", "model_servers", "connections"),
    *("system_keyring", "folders", "rules", "model_addresses", "model_names"),
}
BELOW = {
    "text": TEXT,
    "context": {"context", "errors", *TEXT},
    "catalog": CATALOG,
    "tokens": {"tokens", *LANGUAGE, *CATALOG},
    # What a secret looks like is known in one place.
    "memory": {"memory", *LANGUAGE, *TEXT, *SECRETS},
    "providers": {"providers", *LANGUAGE, *CATALOG, *NETWORK, *TEXT},
    "network": {"network", "errors"},
    "redaction": SECRETS,
    "telemetry": {"telemetry", "errors", *FILES, *NETWORK},
    "private_files": {"errors"},
    "standard_streams": {"errors"},
    "tools": {"tools", *LANGUAGE, *TEXT, *SECRETS, *WAITING, *FILES, *NETWORK},
    # The types of memories, as those of entries, are what a store keeps.
    "storage": {"storage", "memory", *LANGUAGE, *TEXT, *SECRETS, *WAITING, *FILES},
    # No secret stands in a setting.
    "settings": {"settings", "context", "errors", *FILES, *SECRETS},
    # A session reaches the world through ports; which provider, store or tool, it never knows.
    "session": {"session", "context", "errors", *PORTS, *SECRETS, *WAITING, *CATALOG, *TEXT},
    # Plays recorded sessions; its own command alone loads it.
    "bench": {"bench", "session", "context"},
    "connections": {
        *("connections", "model_addresses", "providers", "session", "settings", "errors"),
        *("context.budget", "system_keyring", *CATALOG, *NETWORK, *SECRETS),
    },
    "system_keyring": {"errors", *TEXT},
    "model_names": {"connections.ids", "settings", "providers", "errors", *SECRETS},
    "model_keys": {
        *("errors", "model_addresses", "providers", "settings", "system_keyring", *SECRETS),
    },
    "model_servers": {
        *("connections", "models", "model_addresses", "model_names", "providers", "session"),
        *("settings", *LANGUAGE, *CATALOG),
    },
    "model_addresses": {"session", "settings", "providers"},
    "models": {
        *("connections", "model_addresses", "model_keys", "model_names", "session", "context"),
        *("errors", "settings", "providers", "tokens", *SECRETS, *CATALOG),
    },
    "folders": {"errors"},
    "rules": {
        *("connections.facts", "model_addresses", "storage.machine", "memory", "session"),
        *("settings", "tools", *CATALOG),
    },
    "status": {"storage.locate", "storage.shared", *TELEMETRY, *TEXT},
    "profiles": {"session", "settings"},
    # What a folder shares with a team; loaded where one is joined, or a command of its runs.
    "team": {
        *("team", "storage", "memory", "session", "settings", "system_keyring"),
        *(*LANGUAGE, *TEXT, *SECRETS, *WAITING, *FILES),
    },
    "app": {
        *("app", "model_servers", "profiles", "status", "models", "folders", "rules", "session"),
        *("settings", "storage", "system_keyring", "team", "tools", "memory", "tokens"),
        *("context.log.traits", "errors", *SECRETS, *TELEMETRY),
    },
    # What another agent gets of a folder; its own command alone loads it.
    "mcp": {
        *("mcp", "session", "memory", "storage.chosen.base", "tools.arguments", "plimsoll"),
        *LANGUAGE,
    },
    "lsp": {
        *("lsp", "session", "context", "errors", "settings"),
        *(*PORTS, *WIRING, *SECRETS, *TELEMETRY),
    }
    # What a line is, and a position, is known in one place.
    | TEXT,
    # Beside the door for LSP, of which it takes the bytes, the dispatch and the words of the wire.
    "acp": {
        *("acp", "view.served_views", "session", "context", "errors", "settings"),
        *("lsp.transport", "lsp.connection", "lsp.codes", "lsp.wire", "lsp.features.convert"),
        *("lsp.dispatch.requests", "lsp.dispatch.client_requests", "lsp.dispatch.lifecycle"),
        *(*PORTS, *WIRING, *SECRETS, *TELEMETRY, *TEXT),
    },
    # Shows a session to a browser, in the shapes of the wire; whoever serves it loads it late.
    "view": {"view", "lsp.wire", "lsp.features.convert", "session", "errors", *TEXT},
    "terminal": {
        *("terminal", "view", "acp.main", "lsp", "mcp", "bench"),
        *("session", "context", "errors", "settings"),
        "standard_streams",
        *(*PORTS, *WIRING, *SECRETS, *TELEMETRY, *FILES),
        *TEXT,
    }
    | CATALOG
    | {
        *("storage.locate", "storage.database.journal", "storage.forgetting"),
        *("storage.rows_file", "storage.salvage"),
        *("tokens", "tools.display", "tools.written_over"),
        # What is completed behind an @ is what a search would find.
        *("tools.search", "team", "storage.registry"),
    },
    "cli": {
        "terminal",
        "standard_streams",
        "errors",
        "storage.locate",
        *SECRETS,
        *TELEMETRY,
        *FILES,
    },
    "__main__": {"cli"},
    "errors": set[str](),
    "cancellation": set[str](),
    "plimsoll": set[str](),
}
STOREYS = {
    "app": (
        *("mcp_logins", "front", "open_projects", "lazy_travelling", "lazy_team", "lazy_trees"),
        *("session_ports", "teams", "mcp_servers", "app"),
    ),
    "context": ("log", "view", "budget", "index", "decisions", "pipeline", "stages", "report"),
    "session": (
        *("log", "ports", "resources", "state", "asking", "hooks", "layers", "memory", "made"),
        *("reduction", "mcp", "checkpoints", "hunks", "model", "turn", "running_turn", "access"),
        *("session", "agents", "opening", "background", "transfer", "live_sessions", "travelling"),
        *("folder_pins", "project", "listing", "commands"),
    ),
}
"""The rooms of a package, the lowest first."""
OWN_TOOLS = {"plimsoll.memory.extraction.extraction_loop"}
"""Declares the two tools of a reader for memories, which no session offers."""
IMPORT_ALL = """
import importlib, logging, os, pathlib, signal, sys, threading

def watch(event, arguments):
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_ACCMODE
    if writes or event in ("socket.connect", "subprocess.Popen", "os.mkdir", "os.remove"):
        raise RuntimeError(f"an import does {event} {arguments}")

def world():
    signals = [signal.getsignal(each) for each in signal.valid_signals()]
    return dict(os.environ), threading.enumerate(), logging.getLogger().handlers[:], signals

before = world()
sys.addaudithook(watch)
for name in sys.argv[1:]:
    importlib.import_module(name)
assert world() == before, world()
assert not list(pathlib.Path.home().iterdir())
"""


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """The modules that a file imports, wherever in it."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            module = node.module or ""
            inner = [f"{module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else module for name in inner)


def layer(module: str) -> str:
    """The first name behind the package's own."""
    return module.split(".")[1] if "." in module else module


def test_layers_run_down():
    wrong = [
        f"{module} imports {name}"
        for module, path in MODULES.items()
        for name in imports(path)
        if name.startswith("plimsoll.") and not allowed(layer(module), name)
    ]
    assert wrong == []


def allowed(above: str, name: str) -> bool:
    inner = name.removeprefix("plimsoll.")
    return any(inner == each or inner.startswith(f"{each}.") for each in BELOW[above])


@pytest.mark.parametrize("package", STOREYS)
def test_rooms_stand_in_one_order(package: str):
    """A room, folder or file, uses those below it alone, so no two of them use each other."""
    order, top = STOREYS[package], f"plimsoll.{package}."
    inside = [module for module in MODULES if module.startswith(top)]
    assert {module.removeprefix(top).split(".")[0] for module in inside} == set(order)
    upward = [
        f"{module} imports {name}"
        for module in inside
        for name in imports(MODULES[module])
        if name.startswith(top) and _storey(name, top, order) > _storey(module, top, order)
    ]
    assert upward == []


def _storey(module: str, top: str, order: tuple[str, ...]) -> int:
    return order.index(module.removeprefix(top).split(".")[0])


def test_no_circle():
    graph = {module: set(imports(path)) & MODULES.keys() for module, path in MODULES.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


def test_the_core_imports_the_standard_library_alone():
    core = [path for module, path in MODULES.items() if layer(module) == "context"]
    outside = {name.split(".")[0] for path in core for name in imports(path)}
    assert outside <= sys.stdlib_module_names | {"plimsoll"}
    unclean = {"asyncio", "logging", "os", "pathlib", "random", "sqlite3", "time", "uuid"}
    assert not outside & unclean


def test_the_core_names_no_tool():
    """What a tool is stands in its traits; a word that also names a slot or an origin may stay."""
    names = TOOLS.keys() - {each.value for each in (*Slot, *Origin)}
    named = [
        f"{module}:{node.lineno} {node.value}"
        for module, path in MODULES.items()
        if layer(module) in {"context", "memory"} and module not in OWN_TOOLS
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names
    ]
    assert named == []


def test_the_checks_of_stores_are_loaded_by_none_of_the_product():
    inside = "plimsoll.storage.conformance"
    loading = {
        module
        for module, path in MODULES.items()
        if not module.startswith(inside) and any(n.startswith(inside) for n in imports(path))
    }
    assert loading == set()


def test_only_the_command_line_prints():
    printing = {
        module
        for module, path in MODULES.items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    }
    assert printing == {"plimsoll.cli"}


def test_functions_and_files_are_short():
    long = [
        f"{module}:{node.lineno} {node.name}"
        for module, path in MODULES.items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= 60
    ]
    assert long == []
    assert [m for m, path in MODULES.items() if _length(path) > 400] == []


@pytest.mark.parametrize("top", ["tests", "scripts"])
def test_files_of_tests_and_scripts_are_short(top: str):
    long = {path: _length(path) for path in sources_of(top) if _length(path) > 400}
    assert long == {}


def sources_of(top: str) -> list[Path]:
    found = (PACKAGE.parents[1] / top).rglob("*.*")
    sources = (path for path in found if path.suffix in {".py", ".mjs", ".sh"})
    return [path for path in sources if "node_modules" not in path.parts]


def _length(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


@pytest.mark.slow
def test_importing_does_nothing(tmp_path: Path):
    tmp_path.chmod(0o500)
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", IMPORT_ALL, *MODULES],
        capture_output=True,
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PYTHONPATH": str(PACKAGE.parent)},
    )
    assert done.stderr == b""
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("top", ["tests", "scripts"])
def test_no_folder_of_tests_or_scripts_is_crowded(top: str):
    sides = Counter(path.parent for path in sources_of(top))
    assert {folder: number for folder, number in sides.items() if number > 16} == {}


def test_no_folder_is_crowded_and_each_says_what_lives_there():
    sides: dict[Path, int] = {}
    for path in MODULES.values():
        if path.name != "__init__.py":
            sides[path.parent] = sides.get(path.parent, 0) + 1
    assert {str(folder): number for folder, number in sides.items() if number > 16} == {}
    silent = [
        module
        for module, path in MODULES.items()
        if path.name == "__init__.py" and not ast.get_docstring(tree(path))
    ]
    assert silent == []


def test_one_class_name_is_one_thing():
    """A type of the wire may be called like the value of the domain that it carries."""
    holders: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        if not module.startswith("plimsoll.lsp.wire"):
            for node in tree(path).body:
                if isinstance(node, ast.ClassDef):
                    holders.setdefault(node.name, []).append(module)
    assert {name: where for name, where in holders.items() if len(where) > 1} == {}


def test_values_of_many_fields_are_made_by_keyword():
    positional = [
        f"{module}.{node.name}"
        for module, path in MODULES.items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(each).startswith("dataclass") for each in node.decorator_list)
        and sum(isinstance(each, ast.AnnAssign) for each in node.body) > 4
        and not any("kw_only=True" in ast.unparse(each) for each in node.decorator_list)
    ]
    assert positional == []


def test_no_call_has_more_than_four_positional_arguments():
    calls = [
        f"{module}:{node.lineno}"
        for module, path in MODULES.items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and sum(not isinstance(each, ast.Starred) for each in node.args) > 4
        # Five machine words for one call of the kernel, which knows no keywords.
        and not ast.unparse(node.func).endswith(".prctl")
    ]
    assert calls == []

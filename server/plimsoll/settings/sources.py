"""Where settings come from: files, the environment, and the client.

No source lies inside a workspace: a repository can set nothing.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_config_dir

from plimsoll.errors import SettingsInvalid
from plimsoll.settings.layers import Layer, Tree

CONFIG_FILE = "config.toml"


def config_path() -> Path:
    """The user's own settings file, whether it exists or not."""
    return Path(user_config_dir("plimsoll", appauthor=False)) / CONFIG_FILE


def local_layers(config: Path | None, environment: Mapping[str, str]) -> tuple[Layer, ...]:
    """The user's file, the file of ``--config``, and the environment, in this order.

    Raises:
        SettingsInvalid: A file cannot be read or is no TOML.
    """
    named = () if config is None else (file_layer(config, required=True),)
    return (file_layer(config_path()), *named, environment_layer(environment))


def file_layer(path: Path, *, required: bool = False) -> Layer:
    """The settings of a TOML file; of the user's own file none when there is none.

    Raises:
        SettingsInvalid: The file cannot be read or is no TOML.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        if required:
            raise _unreadable(path, "there is no such file") from error
        return Layer(str(path))
    except OSError as error:
        raise _unreadable(path, error.strerror or type(error).__name__) from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, f"byte {error.start} is no UTF-8") from error
    return Layer(str(path), _parsed(path, text))


def environment_layer(environment: Mapping[str, str]) -> Layer:
    """Settings such as ``PLIMSOLL_MODEL__PROVIDER``."""
    return Layer("the environment", dict(environment), "environment")


def client_layer(tree: Tree | None, name: str = "the editor's settings") -> Layer:
    """Settings of ``initializationOptions`` or ``workspace/configuration``, in camelCase.

    What is null or an empty text is not set.
    """
    return Layer(name, tree or {}, "client")


def _parsed(path: Path, text: str) -> Tree:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        found = re.search(r" \(at line (\d+), column (\d+)\)$", reason)
        end = text.count("\n") + 1, len(text.rpartition("\n")[2]) + 1
        line, column = (int(found[1]), int(found[2])) if found else end
        reason = re.sub(r" \(at [^()]*\)$", "", reason)
        raise SettingsInvalid(
            f"{path}:{line}:{column}: this is no TOML: {reason}.",
            remedy=f"Correct line {line} of the file.",
            data={"source": str(path), "line": line, "column": column},
        ) from error


def _unreadable(path: Path, reason: str) -> SettingsInvalid:
    return SettingsInvalid(
        f"The settings file {path} cannot be read: {reason}.",
        remedy="Name a file that exists and that you may read.",
        data={"source": str(path)},
    )

"""`plimsoll serve`: the language server; `plimsoll acp`: the agent for clients of ACP."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from plimsoll.lsp.main import serve as serve_client

if TYPE_CHECKING:
    from argparse import Namespace

    from plimsoll.app.front import BrowserViews
    from plimsoll.lsp.transport.admission import Token
    from plimsoll.redaction.secrets import Secrets
    from plimsoll.telemetry.base import SpanSink
    from plimsoll.terminal.screen import Screen


def serve(options: Namespace, screen: Screen) -> int:
    """Serve one client; the server ends the process itself, with the exit code of its protocol."""
    del screen
    # Without a command there are no options: an editor has started plain `plimsoll`.
    config, address = getattr(options, "config", None), getattr(options, "tcp", None)
    tcp = None if address is None else (address, _token(options.secrets))
    sinks: tuple[SpanSink, ...] = ()
    if trace := getattr(options, "trace", None):
        from plimsoll.telemetry.trace_file import trace_sinks

        sinks = trace_sinks(trace)
    profile = getattr(options, "profile", None)
    place = Path(config) if config else None
    serve_client(options.secrets, place, tcp, sinks, profile=profile, make_views=_views)
    return 0


def _views() -> BrowserViews:
    from plimsoll.view.served_views import ServedViews

    return ServedViews()


def acp(options: Namespace, screen: Screen) -> int:
    """Serve one client of ACP, which ends the process; or connect a model, as an editor asks."""
    if options.action is not None:
        return _connect(options, screen)
    # Loaded late: a language server needs none of it.
    from plimsoll.acp.main import serve as serve_acp

    sinks: tuple[SpanSink, ...] = ()
    if options.trace:
        from plimsoll.telemetry.trace_file import trace_sinks

        sinks = trace_sinks(options.trace)
    config = Path(options.config) if options.config else None
    serve_acp(options.secrets, config, sinks, options.profile)
    return 0


def _connect(options: Namespace, screen: Screen) -> int:
    # Loaded late: who serves needs neither.
    from plimsoll.terminal.arguments import parsed_arguments
    from plimsoll.terminal.commands.connect import connect

    asked = parsed_arguments(["connect"])
    asked.secrets = options.secrets
    return connect(asked, screen)


def _token(known: Secrets) -> Token:
    """Make the token of a server that listens, in a file for its owner alone."""
    # Loaded late: standard streams need none of it, and start-up time is a promise.
    from secrets import token_urlsafe

    from plimsoll.lsp.transport.admission import Token
    from plimsoll.private_files import private_folder, replace_private
    from plimsoll.storage.locate import TCP_FOLDER, data_folder

    token = Token(
        token_urlsafe(32), private_folder(data_folder(os.environ) / TCP_FOLDER) / f"{os.getpid()}"
    )
    known.add("token", token.text)
    replace_private(token.place, token.text)
    return token


def schema(options: Namespace, screen: Screen) -> int:
    """Print the schema."""
    # Loaded late: the models bring pydantic, and `serve` answers `initialize` without it.
    from plimsoll.lsp.wire.schema import json_schema

    del options
    screen.line(json.dumps(json_schema(), indent=2))
    return 0

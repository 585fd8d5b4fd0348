"""The files of the page, and what a browser may do with them."""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "page"
"""Written by ``npm --prefix client-vscode run build``, but for ``index.html`` and the icon."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page, as it is sent."""

    content_type: str
    body: bytes


_FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/view.js": ("view.js", "text/javascript; charset=utf-8"),
    "/view-style.css": ("view-style.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
"""Each path that is served: nothing else of the disk can be named."""


def read_page() -> dict[str, PageFile]:
    """Read the files of the page, by their paths; blocks."""
    return {
        path: PageFile(content_type, (FOLDER / name).read_bytes())
        for path, (name, content_type) in _FILES.items()
    }


def safety_headers(own: str) -> dict[str, str]:
    """Return the headers of each answer of the server at ``own``, which is ``host:port``.

    The page runs its own script and draws its own style; it reaches this server alone, and turns no
    text into markup (``trusted-types``). No page may frame it, or read what it is sent.
    """
    policy = (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        f"connect-src ws://{own}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }

"""What opening a provider takes."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderOptions:
    """Which model, where, and how long to wait for it."""

    name: str
    """The model; for ``scripted`` a built-in name or the path of a script."""
    base_url: str | None = None
    """Up to and with the version, such as ``http://127.0.0.1:11434/v1``; none: the vendor's own."""
    api_key: str | None = field(default=None, repr=False)
    api_key_env: str | None = None
    """The environment variable that a remedy names; reading it is the caller's work."""
    connect_seconds: float = 10.0
    first_byte_seconds: float = 60.0
    """From the sent request to the first line of the stream."""
    idle_seconds: float = 60.0
    """Longest silence between two lines of the stream."""
    total_seconds: float = 1_800.0
    """Longest answer, however steadily it drips."""
    body_bytes: int = 64 * 1024 * 1024
    """Largest stream that is read."""

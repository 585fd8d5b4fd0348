"""Locks on open files, which the kernel frees when their process dies, however it dies.

The one place that asks the operating system for them. Windows has no such call: its locks are on
ranges of bytes, and nobody has tried the store with them.
"""

from plimsoll.errors import StoreUnavailable


def require_file_locks(platform: str) -> None:
    """Refuse to start where files cannot be locked; raises StoreUnavailable."""
    if platform == "win32":
        raise StoreUnavailable(
            "Plimsoll does not run on Windows: its store needs file locks of Linux and macOS.",
            remedy="Start it in the Windows Subsystem for Linux (WSL).",
        )


def lock(descriptor: int) -> None:
    """Wait for the lock of an open file, in the kernel's queue."""
    # Loaded late here and below: where the module is missing, the refusal above must still load.
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX)


def try_lock(descriptor: int) -> None:
    """Take the lock of an open file now; raises BlockingIOError while it is taken."""
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def unlock(descriptor: int) -> None:
    """Give the lock of an open file back."""
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)

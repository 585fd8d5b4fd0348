"""Changes what is protected in the workspace and exists, or puts it out of effect."""

import ctypes
import os
import shutil
import struct
from pathlib import Path

from ways import MOUNTS, USERS, C, protected


@protected
def hook_new(at):
    (at / ".git/hooks/post-commit").write_text("x")


@protected
def hook_write(at):
    (at / ".git/hooks/pre-commit").write_text("x")


@protected
def hook_replace(at):
    (at / "plain").rename(at / ".git/hooks/pre-commit")


@protected
def hook_mode(at):
    (at / ".git/hooks/pre-commit").chmod(0o755)


@protected
def hook_delete(at):
    (at / ".git/hooks/pre-commit").unlink()


@protected
def hooks_rename(at):
    (at / ".git/hooks").rename(at / ".git/hooks2")
    (at / ".git/hooks").mkdir()


@protected
def config_append(at):
    with (at / ".git/config").open("a") as file:
        file.write("x")


@protected
def config_as_git_does(at):
    (at / ".git/config.lock").write_text("x")
    (at / ".git/config.lock").rename(at / ".git/config")


@protected
def repository_rename(at):
    (at / ".git").rename(at / "other")
    (at / ".git").mkdir()
    (at / ".git/config").write_text("x")


@protected
def repository_delete(at):
    shutil.rmtree(at / ".git", ignore_errors=True)
    (at / ".git").mkdir(exist_ok=True)
    (at / ".git/config").write_text("x")


@protected
def repository_exchange(at):
    (at / "new/hooks").mkdir(parents=True)
    C.renameat2(-100, bytes(at / "new"), -100, bytes(at / ".git"), 2)


@protected
def folder_rename(at):
    at.rename(f"{at}-2")
    (at / ".git").mkdir(parents=True)
    (at / ".git/config").write_text("x")


@protected
def editor_write(at):
    (at / ".vscode/settings.json").write_text("x")


@protected
def editor_new(at):
    (at / ".vscode/tasks.json").write_text("x")


@protected
def editor_rename(at):
    (at / ".vscode").rename(at / "other")
    (at / ".vscode").mkdir()


@protected
def editor_to_a_link(at):
    shutil.rmtree(at / ".vscode", ignore_errors=True)
    (at / ".vscode").symlink_to(at / "plain")


@protected
def orders_write(at):
    (at / "AGENTS.md").write_text("x")


@protected
def orders_at_home(at):
    (at / "plain").write_text("x")


@protected
def orders_at_home_deep(at):
    (at / "fish/ls.fish").write_text("x")


@protected
def orders_unlink(at):
    (at / "AGENTS.md").unlink()
    (at / "AGENTS.md").write_text("x")


@protected
def orders_truncate(at):
    os.truncate(at / "AGENTS.md", 0)


@protected
def orders_by_hard_link(at):
    os.link(at / "AGENTS.md", at / "hard")
    (at / "hard").write_text("x")


@protected
def orders_by_older_hard_link(at):
    (at / "older").write_text("x")


@protected
def orders_by_link(at):
    (at / "soft").symlink_to("AGENTS.md")
    (at / "soft").write_text("x")


@protected
def orders_by_descriptor(at):
    opened = os.open(at / "AGENTS.md", os.O_RDONLY)
    Path(f"/proc/self/fd/{opened}").write_text("x")


@protected
def orders_by_folder(at):
    os.chdir(at)
    Path("/proc/self/cwd/AGENTS.md").write_text("x")


@protected
def orders_by_first_process(at):
    Path(f"/proc/1/root{at}/AGENTS.md").write_text("x")


@protected
def tools_replace(at):
    (at / "plain").rename(at / ".mcp.json")


@protected
def agent_settings(at):
    (at / ".claude/settings.json").write_text("x")


@protected
def orders_under_a_mount(at):
    (at / "lower").mkdir()
    (at / "lower/AGENTS.md").write_text("x")
    if C.mount(bytes(at / "lower"), bytes(at), None, 4096, None) == 0:
        C.umount2(bytes(at), 2)
        (at / "AGENTS.md").write_text("x")


# In a name space of their own, where they may mount; what was written there must not stand here.
@protected
def orders_apart_without_a_mount(at):
    C.unshare(USERS | MOUNTS)
    C.umount2(bytes(at / "AGENTS.md"), 2)
    (at / "AGENTS.md").write_text("x")


@protected
def orders_apart_in_a_copy(at):
    C.unshare(USERS | MOUNTS)
    copy = C.syscall(428, -100, bytes(at), 1 | os.O_CLOEXEC)
    try:
        opened = os.open("AGENTS.md", os.O_WRONLY, dir_fd=copy)
    except OSError:
        opened = os.open(at / "AGENTS.md", os.O_WRONLY)
    os.write(opened, b"x")


@protected
def orders_apart_below_another(at):
    C.unshare(USERS | MOUNTS)
    (at / "other").mkdir()
    C.mount(bytes(at), bytes(at / "other"), None, 4096, None)
    other = at / "other" / "AGENTS.md"
    (other if other.exists() else at / "AGENTS.md").write_text("x")


@protected
def orders_by_handle(at):
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128))
    number = ctypes.c_int()
    C.name_to_handle_at(-100, bytes(at / "AGENTS.md"), handle, ctypes.byref(number), 0)
    opened = C.open_by_handle_at(os.open(at.parent, os.O_RDONLY), handle, os.O_WRONLY)
    os.write(opened if opened >= 0 else os.open(at / "AGENTS.md", os.O_WRONLY), b"x")


@protected
def folder_exchange(at):
    (at.parent / f"{at.name}-2" / ".git").mkdir(parents=True)
    C.renameat2(-100, bytes(at), -100, bytes(at) + b"-2", 2)


@protected
def hooks_elsewhere(at):
    # Its configuration says that git runs what lies there.
    (at / "named/pre-commit").write_text("x")


@protected
def config_included(at):
    (at / "included").write_text("[core]\nfsmonitor = x\n")

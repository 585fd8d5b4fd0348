"""Changes what is protected in the workspace and exists, or puts it out of effect."""

import os
import shutil
from pathlib import Path

from ways import C, protected


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

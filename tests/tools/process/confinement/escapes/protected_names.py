"""Makes what would be protected in the workspace and was not there before."""

from ways import protected


@protected
def new_worktree_config(at):
    (at / ".git/config.worktree").write_text("x")


@protected
def new_common_folder(at):
    (at / ".git/commondir").write_text("../plain")


@protected
def new_submodule(at):
    (at / ".git/modules/m/hooks").mkdir(parents=True)


@protected
def new_editor(at):
    (at / ".idea").mkdir()


@protected
def new_case(at):
    (at / ".VSCode-2").mkdir()
    (at / ".Husky").mkdir()


@protected
def new_by_rename(at):
    (at / "built").mkdir()
    (at / "built/pre-commit").write_text("x")
    (at / "built").rename(at / ".husky")


@protected
def new_link(at):
    (at / ".husky").symlink_to(at / "plain")


@protected
def new_repository(at):
    (at / "deep/er/.git/hooks").mkdir(parents=True)


@protected
def new_repository_file(at):
    (at / "deep").mkdir()
    (at / "deep/.git").write_text("gitdir: ../plain")


@protected
def new_bare_repository(at):
    for name in ("objects", "refs"):
        (at / "bare" / name).mkdir(parents=True)
    (at / "bare/HEAD").write_text("ref: refs/heads/main")


@protected
def new_in_a_closed_folder(at):
    (at / "shut/.git").mkdir(parents=True)
    (at / "shut").chmod(0)


@protected
def new_among_packages(at):
    (at / "node_modules/p/.git").mkdir(parents=True)


@protected
def new_at_home(at):
    (at / "zshenv").write_text("x")

"""Layouts of git in a workspace, and what a command plants in each to have it run later.

Each is three shell texts: how the person made it, what the command does, what the person does then.
In each ``$N`` is the layout's own folder; ``$E`` a program that leaves a mark, of the workspace.
"""

from dataclasses import dataclass

BEGIN = """
set -e
repo() { mkdir -p "$1"; git init -q -b main "$1"; echo a > "$1/a"; git -C "$1" add a
  git -C "$1" commit -qm first; }
""".strip()
# A link at a path of a repository, to where a mark would stand: git writes through it.
LINK = """
mark() { rm -rf "$1"; ln -s "$(dirname "$(dirname "$N")")/marks/$(basename "$N")" "$1"; }
""".strip()
# What follows is tried to the end: a step that is refused is no reason to leave out the next.
ATTACK = (
    f"{LINK}\n"
    + """
evil() { mkdir -p "$(dirname "$1")" 2>/dev/null; rm -f "$1"; cp "$E" "$1"; chmod +x "$1"; }
monitor() { git config -f "$1" core.fsmonitor "$E"; }
store() { mkdir -p "$1/objects" "$1/refs"; echo 'ref: refs/heads/main' > "$1/HEAD"
  git config -f "$1/config" core.repositoryformatversion 0; "
  "git config -f "$1/config" core.bare false
  git config -f "$1/config" core.worktree "$2"; monitor "$1/config"; }
""".strip()
)
USE = "git status; echo b >> a; git add -A; git commit -qm second; git checkout -q -b other"


@dataclass(frozen=True, kw_only=True)
class Layout:
    """One of them."""

    made: str
    attack: str
    used: str = USE
    """What the person does afterwards, in the layout's folder."""


REPO = "repo $N"
LAYOUTS = {
    "link_of_message": Layout(made=REPO, attack="mark .git/COMMIT_EDITMSG"),
    "link_of_log": Layout(made=REPO, attack="mark .git/logs/HEAD"),
    "link_of_logs_of_branch": Layout(made=REPO, attack="mark .git/logs/refs/heads/main"),
    "link_of_fetched": Layout(
        made=REPO, attack="mark .git/FETCH_HEAD", used="git fetch -q . main; true"
    ),
    "link_of_index": Layout(made=REPO, attack="mark .git/index"),
    "link_of_packed": Layout(made=REPO, attack="mark .git/packed-refs", used="git pack-refs --all"),
    "link_in_separate": Layout(
        made="mkdir -p $N; git init -q -b main --separate-git-dir $N/store $N/work",
        attack="mark store/COMMIT_EDITMSG",
        used=f"cd work; {USE}",
    ),
    "link_in_worktree": Layout(
        made=f"{REPO}; git -C $N worktree add -q $N/tree",
        attack="mark .git/worktrees/tree/logs/HEAD",
        used=f"cd tree; {USE.replace('other', 'another')}",
    ),
    "hook": Layout(made=REPO, attack="evil .git/hooks/post-commit"),
    "hooks_folder_missing": Layout(
        made=f"{REPO}; rm -r $N/.git/hooks", attack="evil .git/hooks/post-commit"
    ),
    "config": Layout(made=REPO, attack="monitor .git/config"),
    "config_of_worktree": Layout(
        made=f"{REPO}; git -C $N config extensions.worktreeConfig true",
        attack="monitor .git/config.worktree",
    ),
    "common_folder": Layout(
        made=REPO,
        attack="store evil $N; cp -r .git/refs .git/objects evil; echo $N/evil > .git/commondir",
    ),
    "repository_exchanged": Layout(
        made=REPO, attack="mv .git other-git; cp -r other-git .git; monitor .git/config"
    ),
    "separate_hook": Layout(
        made="mkdir -p $N; git init -q -b main --separate-git-dir $N/store $N/work",
        attack="evil store/hooks/post-commit",
        used=f"cd work; {USE}",
    ),
    "separate_config": Layout(
        made="mkdir -p $N; git init -q -b main --separate-git-dir $N/store $N/work",
        attack="monitor store/config",
        used=f"cd work; {USE}",
    ),
    "separate_relative": Layout(
        made="repo $N/work; mv $N/work/.git $N/store; echo 'gitdir: ../store' > $N/work/.git",
        attack="evil store/hooks/post-commit",
        used=f"cd work; {USE}",
    ),
    "separate_exchanged": Layout(
        made="repo $N/work; mv $N/work/.git $N/store; echo 'gitdir: ../store' > $N/work/.git",
        attack="mv store gone; cp -r gone store; monitor store/config",
        used=f"cd work; {USE}",
    ),
    "separate_missing": Layout(
        made="mkdir -p $N/work; echo 'gitdir: ../store' > $N/work/.git",
        attack="store store $N/work",
        used=f"cd work; {USE}",
    ),
    "separate_empty": Layout(
        made="mkdir -p $N/work $N/store; echo 'gitdir: ../store' > $N/work/.git",
        attack="store store $N/work",
        used=f"cd work; {USE}",
    ),
    "file_through_a_link": Layout(
        made="repo $N/work; mkdir $N/real; mv $N/work/.git $N/real/store; ln -s real $N/way; "
        "echo 'gitdir: ../way/store' > $N/work/.git",
        attack="rm way; mkdir way; cp -r real/store way/store; monitor way/store/config",
        used=f"cd work; {USE}",
    ),
    "file_planted": Layout(
        made=REPO,
        attack="mkdir sub; store hidden $N/sub; echo 'gitdir: ../hidden' > sub/.git",
        used="cd sub; git status",
    ),
    "file_planted_to_objects": Layout(
        made=REPO,
        attack="mkdir sub; store .git/objects/ee $N/sub; "
        "echo 'gitdir: ../.git/objects/ee' > sub/.git",
        used="cd sub; git status",
    ),
    "folder_planted": Layout(
        made="mkdir -p $N", attack="store sub/.git $N/sub", used="cd sub; git status"
    ),
    "link_planted": Layout(
        made="mkdir -p $N/sub",
        attack="store hidden $N/sub; ln -s ../hidden sub/.git",
        used="cd sub; git status",
    ),
    "vendored_and_ignored": Layout(
        made=f"{REPO}; echo vendor/ > $N/.gitignore; repo $N/vendor/lib",
        attack="evil vendor/lib/.git/hooks/post-commit",
        used=f"cd vendor/lib; {USE}",
    ),
    "planted_in_ignored": Layout(
        made=f"{REPO}; echo vendor/ > $N/.gitignore; mkdir -p $N/vendor/lib",
        attack="store vendor/lib/.git $N/vendor/lib",
        used="cd vendor/lib; git status",
    ),
    "among_packages": Layout(
        made=f"{REPO}; repo $N/node_modules/p",
        attack="monitor node_modules/p/.git/config",
        used=f"cd node_modules/p; {USE}",
    ),
    "bare": Layout(
        made="mkdir -p $N; git init -q -b main --bare $N/bare.git",
        attack="evil bare.git/hooks/post-receive",
        used="git clone -q bare.git copy; cd copy; echo a > a; git add a; "
        "git commit -qm a; git push -q",
    ),
    "bare_without_hooks": Layout(
        made="mkdir -p $N/deep/er; git init -q -b main --bare $N/deep/er/b; "
        "rm -r $N/deep/er/b/hooks",
        attack="evil deep/er/b/hooks/post-receive",
        used="git clone -q deep/er/b copy; cd copy; echo a > a; git add a; "
        "git commit -qm a; git push -q",
    ),
    "bare_planted": Layout(
        made="mkdir -p $N/src/lib", attack="store src/lib $N/src/lib", used="cd src/lib; git status"
    ),
    "bare_completed": Layout(
        made="mkdir -p $N/fixture/refs; echo 'ref: refs/heads/main' > $N/fixture/HEAD",
        attack="store fixture $N/fixture",
        used="cd fixture; git status",
    ),
    "bare_by_common_folder": Layout(
        made="mkdir -p $N/src",
        attack="git init -q --bare other; rm other/HEAD; echo 'ref: refs/heads/main' > src/HEAD; "
        "echo ../other > src/commondir; evil other/hooks/post-receive",
        used="git clone -q src copy; cd copy; echo a > a; git add a; git commit -qm a; git push -q",
    ),
    "submodule_hook": Layout(
        made=f"repo $N/library; {REPO}; git -C $N submodule --quiet add $N/library sub",
        attack="evil .git/modules/sub/hooks/post-commit",
        used=f"cd sub; {USE}",
    ),
    "submodule_config": Layout(
        made=f"repo $N/library; {REPO}; git -C $N submodule --quiet add $N/library deep/sub",
        attack="monitor .git/modules/deep/sub/config",
        used=f"cd deep/sub; {USE}",
    ),
    "submodule_planted": Layout(
        made=f"{REPO}; mkdir $N/sub",
        attack="store .git/modules/sub $N/sub; echo 'gitdir: ../.git/modules/sub' > sub/.git",
        used="cd sub; git status",
    ),
    "like_a_submodule": Layout(
        made="repo $N/sub; mkdir -p $N/gits; mv $N/sub/.git $N/gits/sub; "
        "echo 'gitdir: ../gits/sub' > $N/sub/.git; git -C $N/sub config core.worktree ../../sub",
        attack="evil gits/sub/hooks/post-commit; monitor gits/sub/config",
        used=f"cd sub; {USE}",
    ),
    "worktree_config": Layout(
        made=f"{REPO}; git -C $N config extensions.worktreeConfig true; "
        "git -C $N worktree add -q wt",
        attack="monitor .git/worktrees/wt/config.worktree",
        used=f"cd wt; {USE}",
    ),
    "worktree_common": Layout(
        made=f"{REPO}; git -C $N worktree add -q wt",
        attack="store evil $N/wt; cp -r .git/objects .git/refs evil; "
        "echo $N/evil > .git/worktrees/wt/commondir",
        used=f"cd wt; {USE}",
    ),
    "worktree_file": Layout(
        made=f"{REPO}; git -C $N worktree add -q wt",
        attack="store evil $N/wt; rm wt/.git; echo 'gitdir: ../evil' > wt/.git",
        used=f"cd wt; {USE}",
    ),
    "worktree_planted": Layout(
        made=REPO,
        attack="git worktree add -q wt; store evil $N/wt; cp -r .git/objects .git/refs evil; "
        "echo $N/evil > .git/worktrees/wt/commondir",
        used=f"cd wt; {USE}",
    ),
    "worktree_planted_by_hand": Layout(
        made=REPO,
        attack="mkdir -p wt .git/worktrees/x; store .git/worktrees/x $N/wt; "
        "echo 'gitdir: ../.git/worktrees/x' > wt/.git",
        used=f"cd wt; {USE}",
    ),
    "included": Layout(
        made=f"{REPO}; touch $N/shared; git -C $N config include.path ../shared",
        attack="monitor shared",
    ),
    "included_missing": Layout(
        made=f"{REPO}; git -C $N config include.path ../conf/shared",
        attack="mkdir conf; monitor conf/shared",
    ),
    "included_if": Layout(
        made=f"{REPO}; git -C $N config includeIf.onbranch:main.path ../of-branch",
        attack="monitor of-branch",
    ),
    "included_by_included": Layout(
        made=f"{REPO}; git -C $N config include.path ../one; git config -f $N/one include.path two",
        attack="monitor two",
    ),
    "hooks_path": Layout(
        made=f"{REPO}; mkdir $N/tools; git -C $N config core.hooksPath tools",
        attack="evil tools/post-commit",
    ),
    "hooks_path_missing": Layout(
        made=f"{REPO}; git -C $N config core.hooksPath tools/hooks",
        attack="evil tools/hooks/post-commit",
    ),
    "hooks_path_included": Layout(
        made=f"{REPO}; mkdir $N/tools; git -C $N config include.path ../one; "
        "git config -f $N/one core.hooksPath tools",
        attack="evil tools/post-commit",
    ),
    "hooks_path_everything": Layout(
        made=f"{REPO}; git -C $N config core.hooksPath $N", attack="evil post-commit"
    ),
    "hooks_path_of_worktree": Layout(
        made=f"{REPO}; git -C $N config core.hooksPath tools; git -C $N worktree add -q wt",
        attack="evil wt/tools/post-commit",
        used=f"cd wt; {USE}",
    ),
    "hooks_path_of_person": Layout(made=REPO, attack="evil persons/post-commit"),
    "monitor": Layout(
        made=f"{REPO}; cp /bin/true $N/fsm; git -C $N config core.fsmonitor ./fsm",
        attack="evil fsm",
    ),
    "filter": Layout(
        made=f"{REPO}; printf '#!/bin/sh\\ncat\\n' > $N/clean.sh; "
        "git -C $N config filter.x.clean 'sh ./clean.sh %f'; echo '* filter=x' > $N/.gitattributes",
        attack="evil clean.sh",
    ),
    "filter_missing": Layout(
        made=f"{REPO}; git -C $N config filter.x.clean tools/clean; "
        "echo '* filter=x' > $N/.gitattributes",
        attack="evil tools/clean",
    ),
    "text_conversion": Layout(
        made=f"{REPO}; cp /bin/cat $N/conv; git -C $N config diff.x.textconv ./conv; "
        "echo 'a diff=x' > $N/.gitattributes",
        attack="evil conv",
        used="echo b >> a; git diff",
    ),
    "alias": Layout(
        made=f"{REPO}; cp /bin/true $N/co.sh; git -C $N config alias.co '!./co.sh'",
        attack="evil co.sh",
        used="git co",
    ),
    "editor": Layout(
        made=f"{REPO}; cp /bin/true $N/ed; git -C $N config core.editor '\"$PWD/ed\"'; "
        "git -C $N config core.editor ./ed",
        attack="evil ed",
        used="echo b >> a; git commit -a",
    ),
    "rebase_going_on": Layout(
        made=f"{REPO}; echo b > $N/a; git -C $N commit -qam b; "
        "GIT_SEQUENCE_EDITOR='sed -i s/pick/edit/' git -C $N rebase -qi HEAD~1",
        attack='echo "exec $E" >> .git/rebase-merge/git-rebase-todo',
        used="git rebase --continue",
    ),
    "rebase_planted": Layout(
        made=f"{REPO}; echo b > $N/a; git -C $N commit -qam b",
        attack="GIT_SEQUENCE_EDITOR='sed -i s/pick/edit/' git rebase -qi HEAD~1; "
        'echo "x $E" >> .git/rebase-merge/git-rebase-todo',
        used="git rebase --continue",
    ),
    "link_to_repository": Layout(
        made=f"{REPO}; mv $N/.git $N/store; ln -s store $N/.git",
        attack="evil store/hooks/post-commit; monitor store/config",
    ),
    "link_of_hooks": Layout(
        made=f"{REPO}; rm -r $N/.git/hooks; mkdir $N/scripts; ln -s ../scripts $N/.git/hooks",
        attack="evil scripts/post-commit",
    ),
    "link_of_hooks_dangling": Layout(
        made=f"{REPO}; rm -r $N/.git/hooks; ln -s ../scripts $N/.git/hooks",
        attack="evil scripts/post-commit",
    ),
    "link_of_a_hook": Layout(
        made=f"{REPO}; cp /bin/true $N/run; ln -s ../../run $N/.git/hooks/post-commit",
        attack="evil run",
    ),
    "link_of_config": Layout(
        made=f"{REPO}; mv $N/.git/config $N/conf; ln -s ../conf $N/.git/config",
        attack="monitor conf",
    ),
}

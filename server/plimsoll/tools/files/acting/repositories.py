"""Names on which version control and its hooks act."""

from plimsoll.tools.files.acting.row import SCRIPTS, ActingRow, config_names, rc_names

ROWS = (
    ActingRow("git", "at once", "git-config(1), githooks(5)", (".git/",)),
    ActingRow(
        "git",
        "started",
        "gitattributes(5), gitmodules(5), git-config(1) `include.path`",
        (".gitattributes", ".gitmodules", ".gitconfig"),
    ),
    ActingRow("Git LFS", "started", "git-lfs-config(5)", (".lfsconfig",)),
    ActingRow(
        "git, by `core.hooksPath`",
        "at once",
        "githooks(5), Husky's documentation",
        (".githooks/", ".git-hooks/", ".husky/"),
    ),
    ActingRow("Husky", "started", "Husky's documentation, version 4", rc_names(".huskyrc")),
    ActingRow(
        "pre-commit, prek",
        "started",
        "the documentations of pre-commit and prek",
        (
            ".pre-commit-config.yaml",
            ".pre-commit-config.yml",
            ".pre-commit-hooks.yaml",
            "prek.toml",
        ),
    ),
    ActingRow(
        "Lefthook",
        "started",
        "Lefthook's documentation, *Config*",
        (
            *(f"{dot}lefthook.{kind}" for dot in ("", ".") for kind in ("yml", "yaml", "toml")),
            *("lefthook.json", "lefthook-local.yml", ".lefthook-local.yml", ".lefthook/"),
        ),
    ),
    ActingRow(
        "Overcommit, simple-git-hooks, Cocogitto, CaptainHook, GrumPHP",
        "started",
        "the documentation of each",
        (
            *(".overcommit.yml", ".git-hooks.yml", "cog.toml", "captainhook.json"),
            *rc_names(".simple-git-hooks", (*SCRIPTS, "json")),
            *("simple-git-hooks.json", "grumphp.yml", "grumphp.yml.dist"),
        ),
    ),
    ActingRow(
        "lint-staged, commitlint, Commitizen",
        "started",
        "the documentation of each: commands and plugins for a commit",
        (
            *rc_names(".lintstagedrc"),
            *rc_names(".commitlintrc"),
            *config_names("lint-staged", "commitlint"),
            *(".czrc", ".cz.json", ".cz.toml"),
        ),
    ),
    ActingRow("Mercurial", "at once", "hgrc(5), `hg help subrepos`", (".hg/", ".hgsub")),
    ActingRow("Jujutsu", "at once", "Jujutsu's documentation, *Settings*", (".jj/",)),
    ActingRow("Sapling", "at once", "Sapling's documentation, `sl help config`", (".sl/",)),
    ActingRow("Subversion", "at once", "the Subversion book, *Working copies*", (".svn/",)),
    ActingRow(
        "Bazaar, Breezy, Darcs, Pijul, repo",
        "at once",
        "the manual of each: hooks and settings of a repository",
        (".bzr/", "_darcs/", ".pijul/", ".repo/"),
    ),
    ActingRow("Fossil", "started", "Fossil's documentation, *Settings*", (".fossil-settings/",)),
)

"""Names that shells, interpreters and debuggers run as they start, or as a folder is entered."""

from plimsoll.tools.files.acting.row import ActingRow

SHELLS = (
    ActingRow(
        "bash, zsh, ksh, csh, xonsh",
        "started",
        "the manual of each, where this folder is a home",
        (
            *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc"),
            *(".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc"),
            *(".login", ".logout", ".xonshrc", ".inputrc"),
        ),
    ),
    ActingRow("OpenSSH", "started", "ssh_config(5), sshd(8)", (".ssh/",)),
    ActingRow("direnv", "at once", "direnv(1)", (".envrc", ".direnv/")),
    ActingRow(
        "direnv, by `use flake`, `use nix` and `use devenv`",
        "at once",
        "direnv-stdlib(1), devenv's documentation",
        ("flake.nix", "shell.nix", "devenv.nix", "devenv.yaml"),
    ),
    ActingRow(
        "mise, asdf",
        "at once",
        "mise's documentation, *Configuration*, *Hooks*; asdf's documentation",
        (
            *("mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml", ".mise/"),
            *(".rtx.toml", ".tool-versions"),
        ),
    ),
    ActingRow(
        "autoenv, shadowenv, ondir, proto, vfox, SDKMAN, Flox, Devbox, pkgx",
        "at once",
        "the documentation of each: what it does as a shell enters a folder",
        (
            *(".autoenv", ".autoenv.zsh", ".autoenv_leave.zsh", ".shadowenv.d/", ".ondirrc"),
            *(".prototools", ".vfox.toml", ".sdkmanrc", ".flox/", "devbox.json", ".devbox/"),
            *(".pkgx.yaml", "pkgx.yaml"),
        ),
    ),
)
INTERPRETERS = (
    ActingRow(
        "Python",
        "started",
        "Python's documentation, `site`, `pdb`",
        ("sitecustomize.py", "usercustomize.py", ".pdbrc", ".pdbrc.py"),
    ),
    ActingRow(
        "Jupyter, IPython",
        "started",
        "Jupyter's documentation, *Configuration*; IPython's advisory of January 2022",
        (
            *(f"jupyter_{part}config.py" for part in ("", "notebook_", "server_", "lab_")),
            *(f"jupyter_{part}config.json" for part in ("", "notebook_", "server_", "lab_")),
            *("ipython_config.py", "ipython_config.json"),
        ),
    ),
    ActingRow(
        "Ruby's consoles and debuggers",
        "started",
        "the documentations of IRB, Pry, byebug, debug",
        (".irbrc", "_irbrc", "irb.rc", ".pryrc", ".byebugrc", ".rdbgrc", ".rdbgrc.rb"),
    ),
    ActingRow("GHCi, ghcid", "started", "GHC User's Guide, *The .ghci file*", (".ghci", ".ghcid")),
    ActingRow(
        "GDB, LLDB",
        "started",
        "GDB's manual, *Init File in the Current Directory*; lldb(1)",
        (".gdbinit", "gdb.ini", ".lldbinit"),
    ),
    ActingRow(
        "R, RStudio",
        "opened",
        "R's documentation, `Startup`",
        (".rprofile", ".renviron", ".rdata"),
    ),
    ActingRow("OCaml", "started", "The OCaml Manual, *The toplevel system*", (".ocamlinit",)),
    ActingRow(
        "Octave, MATLAB",
        "started",
        "the documentation of each, *Startup files*",
        (".octaverc", "startup.m", "finish.m"),
    ),
    ActingRow("Elixir", "started", "IEx's documentation, *The .iex.exs file*", (".iex.exs",)),
    ActingRow("Perl", "started", "perldebug(1)", (".perldb", "perldb.ini")),
    ActingRow(
        "PHP",
        "started",
        "PHP Manual, *.user.ini*; PsySH's documentation",
        (".user.ini", ".psysh.php"),
    ),
    ActingRow("nREPL", "started", "nREPL's documentation, *Server configuration*", (".nrepl.edn",)),
)

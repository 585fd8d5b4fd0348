"""Names on which editors, their workspaces in a cloud, and file managers act."""

from plimsoll.tools.files.acting.row import ActingRow

ROWS = (
    ActingRow(
        "VS Code and its kin",
        "at once",
        "VS Code's documentation, *Workspace Trust*, *Tasks* (`runOn`)",
        (".vscode/", ".vscodium/", ".theia/"),
    ),
    ActingRow("VS Code", "opened", "VS Code's documentation, *Workspaces*", ("*.code-workspace",)),
    ActingRow(
        "JetBrains' editors",
        "at once",
        "JetBrains' help, *Project security*",
        (".idea/", ".fleet/", ".run/", "*.ipr"),
    ),
    ActingRow(
        "Visual Studio", "opened", "Microsoft Learn, *Trust settings*", (".vs/", ".vsconfig")
    ),
    ActingRow("Zed", "at once", "Zed's documentation, *Tasks*, *Configuring Zed*", (".zed/",)),
    ActingRow("Helix", "opened", "Helix's documentation, *Workspace trust*", (".helix/",)),
    ActingRow("Nova", "opened", "Nova's documentation, *Tasks*", (".nova/",)),
    ActingRow("Lapce", "opened", "Lapce's documentation, *Settings*", (".lapce/",)),
    ActingRow(
        "Sublime Text",
        "opened",
        "Sublime Text's documentation, *Projects*",
        ("*.sublime-project", "*.sublime-workspace"),
    ),
    ActingRow(
        "Eclipse, language servers of Java",
        "opened",
        "Eclipse's help, *Project builders*, *Annotation processing*",
        (".project", ".factorypath", ".classpath", ".settings/", ".externaltoolbuilders/"),
    ),
    ActingRow("NetBeans, Qt Creator", "opened", "the help of each", ("nbproject/", ".qtcreator/")),
    ActingRow(
        "Vim, Neovim",
        "opened",
        "Vim's help, `'exrc'`; Neovim's help, `'exrc'`",
        (
            *(".vimrc", "_vimrc", ".gvimrc", "_gvimrc", ".exrc", "_exrc", ".nvimrc", ".nvim.lua"),
            ".vim/",
        ),
    ),
    ActingRow(
        "plugins of Vim and Neovim",
        "opened",
        "the documentations of localvimrc, lazy.nvim, neoconf.nvim, nlsp-settings, YouCompleteMe",
        (
            *(".lvimrc", ".local.vimrc", ".lazy.lua", ".neoconf.json", ".nlsp-settings/"),
            *(".nvim/", ".vimspector.json", ".ycm_extra_conf.py"),
        ),
    ),
    ActingRow(
        "Emacs",
        "opened",
        "GNU Emacs manual, *Per-Directory Local Variables*, *The Init File*",
        (".dir-locals.el", ".dir-locals-2.el", ".emacs", ".emacs.d/"),
    ),
    ActingRow("Kate, Kakoune", "opened", "the handbook of each", (".kateproject", ".kakrc.local")),
    ActingRow(
        "Spyder, rope",
        "opened",
        "Spyder's documentation, *Projects*; rope's documentation, *Configuration*",
        (".spyproject/", ".spyderproject", ".ropeproject/"),
    ),
    ActingRow(
        "dev containers",
        "opened",
        "Development Containers Specification, *Lifecycle scripts*",
        (".devcontainer/", ".devcontainer.json"),
    ),
    ActingRow(
        "workspaces in a cloud",
        "opened",
        "the documentations of Gitpod, CodeSandbox, StackBlitz, Replit, Firebase Studio, devfile",
        (
            *(".gitpod.yml", ".gitpod.dockerfile", ".ona/", ".codesandbox/", ".stackblitzrc"),
            *(".replit", ".idx/", "devfile.yaml", ".devfile.yaml"),
        ),
    ),
    ActingRow(
        "file managers",
        "opened",
        "Microsoft Learn, *Desktop.ini*, *Autorun.inf*; KDE's security advisory of 7 August 2019",
        ("desktop.ini", "autorun.inf", ".directory", "*.scf", "*.library-ms"),
    ),
    ActingRow("Obsidian", "opened", "Obsidian's help, *Community plugins*", (".obsidian/",)),
)

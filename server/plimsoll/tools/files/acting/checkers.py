"""Names from which linters, formatters and language servers load code as a file is opened."""

from plimsoll.tools.files.acting.row import SCRIPTS, ActingRow, config_names, rc_names

ROWS = (
    ActingRow(
        "ESLint, oxlint, XO",
        "opened",
        "ESLint's documentation, *Configuration files*; oxlint's documentation, *JS plugins*",
        (
            *rc_names(".eslintrc"),
            *config_names("eslint", "xo", "oxlint"),
            *rc_names(".xo-config"),
            ".oxlintrc.json",
        ),
    ),
    ActingRow(
        "Prettier, Stylelint",
        "opened",
        "the documentation of each, *Plugins*",
        (
            *rc_names(".prettierrc"),
            *rc_names(".stylelintrc"),
            *config_names("prettier", "stylelint"),
        ),
    ),
    ActingRow(
        "language servers of Tailwind, UnoCSS, Svelte, GraphQL, Vue, Solidity",
        "opened",
        "the documentation of each: its configuration is a script",
        (
            *config_names("tailwind", "unocss", "uno"),
            *config_names("svelte", "graphql", "vetur", "volar"),
            *config_names("hardhat"),
            *rc_names(".graphqlrc"),
        ),
    ),
    ActingRow(
        "remark, textlint, markdownlint, CSpell",
        "opened",
        "the documentation of each, *Plugins*, *Custom rules*",
        (
            *rc_names(".remarkrc"),
            *rc_names(".textlintrc"),
            *rc_names(".markdownlint", SCRIPTS),
            *rc_names(".markdownlint-cli2", ("jsonc", "yaml", *SCRIPTS)),
            *config_names("cspell", ".cspell"),
        ),
    ),
    ActingRow(
        "Pylint, mypy, Flake8, Pyre",
        "opened",
        "the documentation of each: `init-hook`, `plugins`, `local-plugins`, `binary`",
        (
            *(".pylintrc", "pylintrc", ".pylintrc.toml", "pylintrc.toml", "mypy.ini", ".mypy.ini"),
            *(".flake8", ".pyre_configuration", ".jedi/"),
        ),
    ),
    ActingRow(
        "rust-analyzer, rustup, Cargo",
        "opened",
        "The Cargo Book, *Configuration* (`build.rustc-wrapper`); The rustup book, *Overrides*",
        (
            "rust-toolchain",
            "rust-toolchain.toml",
            ".cargo/",
            "rust-analyzer.toml",
            ".rust-analyzer.toml",
        ),
    ),
    ActingRow("Lean", "opened", "elan's documentation", ("lean-toolchain",)),
    ActingRow(
        "RuboCop, Standard, Solargraph, Ruby LSP, Steep, ERB Lint",
        "opened",
        "the documentation of each: `require`, ERB in its settings, a Gemfile of its own",
        (
            *(".rubocop.yml", ".rubocop", ".standard.yml", ".solargraph.yml", ".ruby-lsp/"),
            *("steepfile", ".erb_lint.yml", ".erb-lint.yml", ".haml-lint.yml"),
        ),
    ),
    ActingRow(
        "PHP CS Fixer, PHPStan, Psalm, Phan, PHP_CodeSniffer, Phpactor",
        "opened",
        "the documentation of each: a script, bootstrap files or plugins",
        (
            *(".php-cs-fixer.php", ".php-cs-fixer.dist.php", ".php_cs", ".php_cs.dist", ".phan/"),
            *("phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon", "psalm.xml"),
            *("psalm.xml.dist", "phpcs.xml", ".phpcs.xml", "phpcs.xml.dist", ".phpcs.xml.dist"),
            *(".phpactor.json", ".phpactor.yml"),
        ),
    ),
    ActingRow(
        "language servers of Lua, Luacheck",
        "opened",
        "LuaLS' documentation, *Plugins*; Luacheck's documentation, *Configuration file*",
        (".luarc.json", ".luarc.jsonc", ".luacheckrc"),
    ),
    ActingRow(
        "clangd, ccls, ctags",
        "opened",
        "clangd's documentation, *Configuration*; ctags(1), *Files*",
        (".clangd", ".ccls", ".ctags", ".ctags.d/"),
    ),
    ActingRow(
        "golangci-lint",
        "opened",
        "its documentation, *Plugins*",
        tuple(f".golangci.{kind}" for kind in ("yml", "yaml", "toml", "json")),
    ),
    ActingRow(
        "language servers of Haskell, OCaml, Nim, Zig, Swift, Dart, Kotlin",
        "opened",
        "the documentation of each: cradles, build servers, plugins, a script for the class path",
        (
            *("hie.yaml", ".merlin", "config.nims", "nim.cfg", "zls.json", "zls.build.json"),
            *("buildserver.json", ".sourcekit-lsp/", "analysis_options.yaml", "kls-classpath"),
        ),
    ),
    ActingRow(
        "hosts of build servers (BSP): Metals, IntelliJ",
        "opened",
        "Build Server Protocol, *The BSP connection details*",
        (".bsp/",),
    ),
    ActingRow(
        "language servers of Elixir, Erlang, Clojure, R",
        "opened",
        "the documentation of each: settings that are evaluated, commands for the class path",
        (
            *(".formatter.exs", ".credo.exs", "erlang_ls.config", ".elp.toml", ".elp_lint.toml"),
            *(".clj-kondo/", ".lsp/", ".lintr", ".lintr.r"),
        ),
    ),
    ActingRow(
        "TFLint, Ansible",
        "opened",
        "TFLint's documentation, *Configuring plugins*; Ansible's documentation, *ansible.cfg*",
        (".tflint.hcl", "ansible.cfg", ".ansible.cfg"),
    ),
    ActingRow(
        "latexmk, by LaTeX Workshop and texlab",
        "opened",
        "latexmk(1), *Configuration/Initialization (RC) files*: it is Perl",
        (".latexmkrc", "latexmkrc"),
    ),
    ActingRow(
        "Terraform, by its language server",
        "opened",
        "Terraform's documentation, *Provider installation*: it runs the providers in it",
        (".terraform/",),
    ),
    ActingRow(
        "Arcanist, Review Board",
        "started",
        "Arcanist's guide, *.arcconfig*, *.arclint*; RBTools' documentation: it is Python",
        (".arcconfig", ".arclint", ".reviewboardrc"),
    ),
)

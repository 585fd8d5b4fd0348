"""Names of build files: what is built, tested, installed or deployed by a person's command.

Programs write them as a part of everyday work, and whoever runs them is asked or confined in their
turn. So the gates of the file tools alone ask about them.
"""

from plimsoll.tools.files.acting.row import SCRIPTS, ActingRow, rc_names

ROWS = (
    ActingRow(
        "npm, pnpm, Yarn, Bun, Deno",
        "built",
        "the documentation of each, *Scripts*, *Configuration*, lock files",
        (
            *("package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc", ".yarnrc"),
            *(".yarnrc.yml", ".yarn/", "yarn.lock", ".pnpmfile.cjs", ".pnpmfile.mjs", ".pnp.cjs"),
            *(".pnp.loader.mjs", "pnpm-lock.yaml", "pnpm-workspace.yaml", "bun.lock", "bun.lockb"),
            *("bunfig.toml", "deno.json", "deno.jsonc", "deno.lock", "node_modules/"),
        ),
    ),
    ActingRow(
        "programs that Node runs",
        "built",
        "the documentations of Vite, Jest, Webpack, Babel, Mocha, Gulp, Grunt, TypeScript, Nx",
        (
            *(f"*.config.{kind}" for kind in SCRIPTS),
            *rc_names(".babelrc"),
            *rc_names(".mocharc"),
            *rc_names(".postcssrc"),
            *(
                f"{name}.{kind}"
                for name in ("gulpfile", "gruntfile", "jakefile")
                for kind in SCRIPTS
            ),
            *("tsconfig.json", "jsconfig.json", "nx.json", "turbo.json", "lerna.json"),
            *("angular.json", ".parcelrc", "jakefile"),
        ),
    ),
    ActingRow(
        "pip, uv, Poetry, PDM, tox, nox, pytest, coverage.py",
        "built",
        "the documentation of each",
        (
            *("setup.py", "setup.cfg", "pyproject.toml", "requirements.txt", "pipfile"),
            *("pipfile.lock", "poetry.lock", "poetry.toml", "uv.lock", "uv.toml", "pdm.lock"),
            *("pdm.toml", ".pdm-python", "hatch.toml", "hatch_build.py", "pixi.toml"),
            *("environment.yml", "tox.ini", "noxfile.py", "pytest.ini", ".pytest.ini"),
            *("conftest.py", ".coveragerc", ".python-version", ".venv/", "dodo.py", "fabfile.py"),
        ),
    ),
    ActingRow(
        "Make, CMake, Meson, SCons, Ninja, Bazel",
        "built",
        "the manual of each",
        (
            *("makefile", "gnumakefile", "bsdmakefile", "*.mk", "cmakelists.txt", "*.cmake"),
            *("cmakepresets.json", "cmakeuserpresets.json", "compile_commands.json"),
            *("configure.ac", "meson.build", "sconstruct", "sconscript", "build.ninja", ".bazelrc"),
            *("build.bazel", "module.bazel", "workspace.bazel", ".bazelversion"),
        ),
    ),
    ActingRow(
        "runners of tasks",
        "built",
        "the documentations of just, Task, Tilt, Skaffold, act, Procfile managers, Earthly",
        (
            *("justfile", ".justfile", "taskfile.yml", "taskfile.yaml", "tiltfile", ".actrc"),
            *("skaffold.yaml", "procfile", "earthfile", "bacon.toml", "dagger.json", ".env"),
        ),
    ),
    ActingRow(
        "Ruby",
        "built",
        "the documentations of Bundler, Rake, RSpec, Guard, YARD",
        (
            *("gemfile", "gemfile.lock", "gems.rb", "rakefile", ".bundle/", "guardfile", ".rspec"),
            *(".yardopts", "*.gemspec", "podfile", "fastfile", "vagrantfile", "brewfile"),
        ),
    ),
    ActingRow(
        "Cargo, Go, Zig, Swift",
        "built",
        "the documentation of each",
        (
            *("cargo.toml", "cargo.lock", "build.rs", "nextest.toml", "go.mod", "go.sum"),
            *("go.work", ".custom-gcl.yml", "build.zig", "build.zig.zon", "package.swift"),
        ),
    ),
    ActingRow(
        "Maven, Gradle, sbt, Mill, Leiningen, MSBuild",
        "built",
        "the documentation of each",
        (
            *("pom.xml", ".mvn/", "mvnw", "build.gradle", "build.gradle.kts", "settings.gradle"),
            *("settings.gradle.kts", "gradlew", "gradle.properties", "gradle-wrapper.properties"),
            *("build.sbt", "build.properties", "build.sc", "build.mill", ".jvmopts", ".sbtopts"),
            *("project.clj", "deps.edn", "nuget.config", "global.json", "directory.build.props"),
            *("directory.build.targets", "*.csproj", "*.fsproj", "*.vbproj", "*.vcxproj"),
        ),
    ),
    ActingRow(
        "Composer, PHPUnit, Apache, Mix, rebar, Pub, Stack, Cabal, dune, Perl, Lake, Julia",
        "built",
        "the documentation of each",
        (
            *("composer.json", "composer.lock", "phpunit.xml", "phpunit.xml.dist", ".htaccess"),
            *("mix.exs", "mix.lock", "rebar.config", "pubspec.yaml", "stack.yaml", "dune"),
            *("cabal.project", "*.cabal", "dune-project", "makefile.pl", "build.pl", "cpanfile"),
            *("lakefile.lean", "lakefile.toml", ".proverc"),
        ),
    ),
    ActingRow(
        "Docker, Podman, Nix, DDEV, Lando",
        "built",
        "the documentation of each",
        (
            *("dockerfile", "containerfile", "docker-compose.yml", "docker-compose.yaml"),
            *("docker-compose.override.yml", "compose.yml", "compose.yaml"),
            *("compose.override.yml", "docker-bake.hcl", "default.nix", "flake.lock", ".ddev/"),
            ".lando.yml",
        ),
    ),
)

"""Names on which services of CI, hosts of repositories and of sites act once they are pushed."""

from plimsoll.tools.files.acting.row import ActingRow

ROWS = (
    ActingRow("GitHub", "pushed", "GitHub's documentation, *Workflow syntax*", (".github/",)),
    ActingRow(
        "GitLab",
        "pushed",
        "GitLab's documentation, *CI/CD YAML syntax*",
        (".gitlab-ci.yml", ".gitlab-ci.yaml", ".gitlab/"),
    ),
    ActingRow(
        "Gitea, Forgejo, Bitbucket, Azure, SourceHut, Tangled, OneDev",
        "pushed",
        "the documentation of each, *Actions* or *Pipelines*",
        (
            *(".gitea/", ".forgejo/", "bitbucket-pipelines.yml", ".bitbucket/"),
            *("azure-pipelines.yml", "azure-pipelines.yaml", ".azure-pipelines/"),
            *(".azuredevops/", ".build.yml", ".builds/", ".tangled/", ".onedev-buildspec.yml"),
        ),
    ),
    ActingRow(
        "hosts of repositories, to know who must look at a change",
        "pushed",
        "GitHub's and GitLab's documentation, *Code owners*",
        ("codeowners",),
    ),
    ActingRow(
        "CircleCI, Travis, Jenkins, Buildkite, Drone, Woodpecker",
        "pushed",
        "the documentation of each, *Pipelines*",
        (
            *(".circleci/", ".travis.yml", "jenkinsfile", ".buildkite/", ".drone.yml"),
            *(".drone.yaml", ".drone.star", ".drone.jsonnet", ".woodpecker/", ".woodpecker.yml"),
            ".woodpecker.yaml",
        ),
    ),
    ActingRow(
        "AWS CodeBuild, Google Cloud Build, Amplify",
        "pushed",
        "the documentation of each, *Build specification*",
        (
            *("buildspec.yml", "buildspec.yaml", "cloudbuild.yaml", "cloudbuild.yml"),
            *("cloudbuild.json", "amplify.yml"),
        ),
    ),
    ActingRow(
        "AppVeyor, Cirrus, Semaphore, Bitrise, Codemagic, Wercker, TeamCity, Harness, Tekton",
        "pushed",
        "the documentation of each",
        (
            *("appveyor.yml", ".appveyor.yml", ".cirrus.yml", ".cirrus.star", ".semaphore/"),
            *("bitrise.yml", "codemagic.yaml", "wercker.yml", ".teamcity/", ".harness/"),
            *(".tekton/", ".scrutinizer.yml", ".buildbot/"),
        ),
    ),
    ActingRow(
        "Zuul, Taskcluster, Evergreen, Packit",
        "pushed",
        "the documentation of each",
        (
            *(".zuul.yaml", "zuul.yaml", ".zuul.d/", "zuul.d/", ".taskcluster.yml"),
            *(".evergreen.yml", ".packit.yaml", ".packit/"),
        ),
    ),
    ActingRow(
        "Netlify, Vercel, Render, Railway, Platform.sh, Read the Docs",
        "pushed",
        "the documentation of each: the build of a site",
        (
            *("netlify.toml", "vercel.json", "now.json", "render.yaml", "railway.json"),
            *("railway.toml", ".platform.app.yaml", ".platform/", ".upsun/"),
            *("readthedocs.yml", ".readthedocs.yml", ".readthedocs.yaml"),
        ),
    ),
    ActingRow(
        "Renovate, Mergify, Kodiak, semantic-release",
        "pushed",
        "the documentation of each: what it merges, releases and runs",
        (
            *("renovate.json", "renovate.json5", ".renovaterc", ".renovaterc.json"),
            *(".mergify.yml", ".mergify/", ".kodiak.toml", ".releaserc", ".releaserc.json"),
            *(".releaserc.yaml", ".releaserc.yml", ".releaserc.js", ".releaserc.cjs"),
        ),
    ),
)

"""Names from which agents take orders, tools and rights."""

from plimsoll.tools.files.acting.row import ActingRow

ROWS = (
    ActingRow(
        "agents of many makers",
        "at once",
        "agents.md, the Agent Skills specification",
        ("agents.md", "agents.override.md", "agent.md", "skill.md", ".agents/", ".agent/"),
    ),
    ActingRow(
        "hosts of tools (MCP)",
        "at once",
        "Model Context Protocol, *Connect to local servers*; Claude Code's documentation, *MCP*",
        (".mcp.json", "mcp.json", ".mcp/"),
    ),
    ActingRow(
        "Claude Code",
        "at once",
        "Claude Code's documentation, *Settings*, *Hooks*, *Memory*",
        ("claude.md", "claude.local.md", ".claude/", ".claude.json", ".claude-plugin/"),
    ),
    ActingRow("Codex", "at once", "Codex's documentation, *Configuration*", (".codex/",)),
    ActingRow(
        "Gemini CLI, Antigravity, Jules",
        "at once",
        "Gemini CLI's documentation, *Configuration*",
        ("gemini.md", ".gemini/", "gemini-extension.json", ".antigravity/", ".jules/"),
    ),
    ActingRow(
        "GitHub Copilot",
        "at once",
        "GitHub's documentation, *Custom instructions*, *Coding agent*",
        (
            "copilot-instructions.md",
            ".copilot/",
            "*.chatmode.md",
            "*.instructions.md",
            "*.prompt.md",
            "*.agent.md",
        ),
    ),
    ActingRow(
        "Cursor", "at once", "Cursor's documentation, *Rules*, *MCP*", (".cursorrules", ".cursor/")
    ),
    ActingRow(
        "Windsurf, Devin",
        "at once",
        "Windsurf's documentation, *Memories and rules*",
        (".windsurfrules", ".windsurf/", ".codeium/", ".devin/"),
    ),
    ActingRow("Zed", "at once", "Zed's documentation, *Rules*", (".rules",)),
    ActingRow(
        "Cline, Roo Code, Kilo Code",
        "at once",
        "the documentation of each, *Rules*, *Custom modes*",
        (
            *(".clinerules/", ".cline/", ".clinerules", ".roo/", ".roorules", ".roomodes"),
            *(".kilocode/", ".kilo/", ".kilocodemodes", ".kilocoderules"),
        ),
    ),
    ActingRow("Continue", "at once", "Continue's documentation", (".continue/", ".continuerules")),
    ActingRow(
        "Aider",
        "started",
        "Aider's documentation, *YAML config file*",
        (".aider.conf.yml", ".aider.model.settings.yml", ".aider.model.metadata.json"),
    ),
    ActingRow(
        "opencode, Crush",
        "at once",
        "the documentation of each, *Config*",
        (
            *("opencode.json", "opencode.jsonc", "opencode.md", ".opencode/"),
            *("crush.json", ".crush.json", "crush.md", ".crush/"),
        ),
    ),
    ActingRow(
        "Qwen Code, iFlow, CodeBuddy, Qoder, Lingma, Kimi",
        "at once",
        "the documentation of each",
        (
            *("qwen.md", ".qwen/", "iflow.md", ".iflow/", "codebuddy.md", ".codebuddy/"),
            *(".qoder/", ".lingma/", ".comate/", ".marscode/", ".trae/", ".kimi/"),
        ),
    ),
    ActingRow(
        "Kiro, Amazon Q",
        "at once",
        "Kiro's documentation, *Steering*, *Hooks*; Amazon Q's documentation, *Project rules*",
        (".kiro/", ".amazonq/"),
    ),
    ActingRow(
        "Junie, JetBrains AI, Air",
        "at once",
        "JetBrains' help, *Guidelines*, *Project rules*, *MCP servers*",
        (".junie/", ".aiassistant/", ".air/"),
    ),
    ActingRow(
        "Goose",
        "at once",
        "Goose's documentation, *Using goosehints*",
        (".goosehints", ".goosehints.local", ".goose/"),
    ),
    ActingRow(
        "Amp, Cody",
        "at once",
        "the documentation of each",
        (".amp/", ".sourcegraph/", ".cody/"),
    ),
    ActingRow(
        "Augment, Warp, Factory, Zencoder, Tabnine",
        "at once",
        "the documentation of each, *Rules*",
        (
            *(".augment/", ".augment-guidelines", "warp.md", ".warp/", ".factory/"),
            *(".zencoder/", ".tabnine/"),
        ),
    ),
    ActingRow(
        "OpenHands, Firebender, PearAI, Void, Mistral Vibe, Rovo Dev, Pi, Grok, Letta",
        "at once",
        "the documentation of each",
        (
            *(".openhands/", ".openhands_instructions", "firebender.json", ".firebender/"),
            *(".pearai/", ".voidrules", ".vibe/", ".rovodev/", ".pi/", "grok.md", ".grok/"),
            *(".letta/", ".serena/"),
        ),
    ),
    ActingRow(
        "Replit's, Bolt's and Lovable's agents",
        "at once",
        "the documentation of each",
        ("replit.md", ".bolt/", ".lovable/"),
    ),
    ActingRow(
        "agents that review or fix what is pushed",
        "pushed",
        "the documentations of CodeRabbit, Greptile, Sweep, Bito, Ellipsis",
        (
            ".coderabbit.yaml",
            ".coderabbit.yml",
            "greptile.json",
            "sweep.yaml",
            ".bito.yaml",
            "ellipsis.yaml",
        ),
    ),
    ActingRow(
        "Plimsoll",
        "at once",
        "Plimsoll's own names: no file in a folder sets anything, and none is made unasked",
        (".plimsoll/", ".plimsoll.toml", "plimsoll.toml"),
    ),
)

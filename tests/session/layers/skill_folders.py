"""Folders of skills for tests."""

from pathlib import Path


def make_skill(
    place: Path,
    name: str,
    description: str = "Says how.",
    body: str = "Do it so.",
    **more: str,
) -> Path:
    """A skill in a place; ``more`` are other fields of its front matter."""
    folder = place / name
    folder.mkdir(parents=True, exist_ok=True)
    fields = {"name": name, "description": description, **more}
    head = "\n".join(f"{key.replace('_', '-')}: {value}" for key, value in fields.items())
    (folder / "SKILL.md").write_text(f"---\n{head}\n---\n\n{body}\n")
    return folder

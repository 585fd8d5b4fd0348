"""A person is told once that repeated compaction loses accuracy."""

from pathlib import Path

from builders import edited
from plimsoll.context.log.entries import Stage
from plimsoll.session.events import NoticeGiven
from plimsoll.session.reduction.compacting import MANY
from session.harness import harness


async def test_many_compactions_are_told_of_once(tmp_path: Path) -> None:
    async with harness(tmp_path, *[{"text": "ok"}] * 4) as own:
        told = [
            *("compacted" in notice.markdown for notice in own.heard(NoticeGiven)),
        ]
        for number in range(MANY + 1):
            await own.turn("Go on.")
            told.append(any("been compacted" in n.markdown for n in own.heard(NoticeGiven)))
            own.events.clear()
            stage = Stage.COMPACT if number % 2 else Stage.DIGEST
            await own.session.state.append(edited(f"e{number}", stage=stage))
        assert told == [False] * MANY + [True]
        await own.turn("Go on.")
        assert not any("been compacted" in n.markdown for n in own.heard(NoticeGiven))

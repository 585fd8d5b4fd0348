"""A session with one prompt and many calls: the commonest shape of what is reduced."""

from builders import exchange, user


async def filled(own, steps: int = 12) -> None:
    """Let one prompt make so many calls."""
    state = own.session.state
    await state.append(user("u1", "Repair the build. Never touch the tests."))
    for number in range(steps):
        await state.append(*exchange(number, f"line {number} " + "word " * 400))


def texts(own) -> list[str]:
    return [shown.part.text for shown in own.session.state.log.fold.view.items()]

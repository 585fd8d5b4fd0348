"""Sessions travel by code that is loaded where the person wants that, and not before."""

from plimsoll.app.lazy_travelling import LazyTravelling
from plimsoll.storage.shared.travel import StaysHere, Travelling
from team.travelling.machines_at_sea import Harbour, Machine, Screen


class Loading:
    """What loads; counts how often it was asked."""

    def __init__(self, loaded: Travelling | None = None, *, is_on: bool = True) -> None:
        self.asked = 0
        self._loaded = loaded
        self.travelling = LazyTravelling(lambda: is_on, self._load)

    async def _load(self) -> None:
        self.asked += 1
        if self._loaded is not None:
            self.travelling.take(self._loaded)


async def test_nothing_is_loaded_while_the_person_does_not_want_it():
    loading = Loading(is_on=False)
    travelling = loading.travelling
    await travelling.bring("one")
    assert list(await travelling.elsewhere()) == []
    assert await travelling.came_from("one") is None
    assert not await travelling.delete("one")
    assert travelling.held_by("one") is None
    assert loading.asked == 0


async def test_a_folder_without_a_team_is_asked_again_later():
    loading = Loading()
    travelling = loading.travelling
    await travelling.bring("one")
    assert list(await travelling.elsewhere()) == []
    assert loading.asked == 2


async def test_what_is_loaded_takes_care_of_the_sessions_that_were_there_before():
    machine, screen = Machine(Harbour(), "galley"), Screen(shown={"one"})
    loading = Loading(machine.travel)
    travelling = loading.travelling
    travelling.attend(screen)
    await travelling.bring("one")
    await travelling.bring("one")
    machine.local.holders.note("one", "bridge#1")
    assert travelling.held_by("one") == "bridge"
    assert machine.local.in_use() == {"one"}
    assert loading.asked == 1
    await machine.close()


async def test_sessions_that_do_not_travel_are_here_alone():
    here = StaysHere()
    here.attend(Screen())
    await here.bring("one", force=True)
    assert (here.held_by("one"), await here.came_from("one")) == (None, None)
    assert (list(await here.elsewhere()), await here.delete("one")) == ([], False)

from plimsoll.errors import PlimsollError
from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.failures import ERROR_KINDS, ErrorData


def below(error: type[PlimsollError]) -> set[type[PlimsollError]]:
    return {error}.union(*map(below, error.__subclasses__()))


def ours(error: type[PlimsollError]) -> bool:
    return error.__module__.startswith("plimsoll.")


def test_every_kind_of_the_error_tree_is_documented():
    kinds = {error.kind for error in filter(ours, below(PlimsollError))}

    assert kinds - ERROR_KINDS.keys() == set()


def test_the_kinds_of_the_contract_are_there():
    contract = """
    sessionNotFound busy infeasible providerAuth providerRateLimited providerOverflow
    untrustedWorkspace notUndoable memoryRefused storeUnavailable
    """

    assert set(contract.split()) <= ERROR_KINDS.keys()


def test_error_data_leaves_out_what_is_not_known():
    data = ErrorData(kind="busy", held_by="process 7", remedy="Fork the session.")

    assert dump(data) == {"kind": "busy", "remedy": "Fork the session.", "heldBy": "process 7"}

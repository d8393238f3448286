"""Room for contexts made ahead: given out in order, and never to more than there are places."""

from __future__ import annotations

from sitegym.envs.spares import Spares


def test_places_go_to_whoever_has_waited_longest() -> None:
    begun: list[str] = []
    begin = {name: (lambda name=name: begun.append(name)) for name in "abcd"}
    spares = Spares(1)
    for name in "abc":
        spares.ask(begin[name])
    assert begun == ["a"]
    spares.withdraw(begin["b"])
    spares.leave()
    assert begun == ["a", "c"]
    spares.insist(begin["d"])
    assert begun == ["a", "c", "d"]
    spares.ask(begin["b"])
    spares.leave()
    assert begun == ["a", "c", "d"]
    spares.leave()
    assert begun == ["a", "c", "d", "b"]

"""A world server whose disk is full says so, whatever it was doing: never a reward, and what helps."""

from __future__ import annotations

import errno
import os

import pytest
from plain_http import ask
from sitegym.envs import grading
from sitegym.errors import EnvironmentFault
from sitegym.sites.world import World
from sitegym.sites.world.control import pack_error, unpack_error
from sitegym.sites.world.errors_plain import from_plain, to_plain


def test_a_page_that_finds_no_room_is_a_fault(world: World) -> None:
    form = "reached=/dev/full&go_on=/dev/null"
    assert ask(world, "http://notes.localhost/hold", method="POST", body=form).status == 500
    with pytest.raises(EnvironmentFault, match=r"no room on the disk.*SITEGYM_SITE_DISK") as fault:
        grading.sound(world.errors())
    assert fault.value.cause == "out_of_disk"


def test_what_finds_no_room_keeps_its_name_on_the_way() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    for fault in (unpack_error(pack_error(full, "freezing")), from_plain(to_plain(full, "freezing"))):
        assert isinstance(fault, EnvironmentFault)
        assert (fault.cause, fault.retry) == ("out_of_disk", False)
        assert "freezing: OSError" in str(fault)

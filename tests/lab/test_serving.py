"""The lab opened and closed."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import threading
import warnings
import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from tests.lab.visiting import opened
from weaklearn.lab import serve
from weaklearn.lab import serving as module
from weaklearn.lab.server import LabServer


def served(monkeypatch: pytest.MonkeyPatch, **options: Any) -> str:
    """The address of a lab that is closed again at once."""
    monkeypatch.setattr(LabServer, "serve_forever", lambda self, poll_interval: None)
    addresses: list[str] = []
    serve(announce=addresses.append, **options)
    assert len(addresses) == 1
    return addresses[0]


def test_the_address_has_a_token_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, second = (served(monkeypatch, open_browser=False) for _ in range(2))
    assert first.startswith("http://127.0.0.1:")
    tokens = {address.partition("#token=")[2] for address in (first, second)}
    assert len(tokens) == 2
    assert min(map(len, tokens)) >= 40


def test_the_browser_is_led_to_the_page_by_a_file_of_this_user_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A token on the browser's command line would be in the list of processes."""
    given: list[str] = []
    found: list[tuple[str, int]] = []
    done = threading.Event()

    def note(address: str) -> bool:
        path = Path(url2pathname(urlsplit(address).path))
        given.append(address)
        found.append((path.read_text(), path.stat().st_mode))
        done.set()
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    monkeypatch.setattr(LabServer, "serve_forever", lambda self, poll_interval: done.wait(10))
    addresses: list[str] = []
    serve(announce=addresses.append)
    [(text, mode)] = found
    token = addresses[0].partition("#token=")[2]
    assert len(token) >= 40
    assert token not in given[0]
    assert f'content="0; url={addresses[0]}"' in text
    assert stat.S_IMODE(mode) == 0o600 or os.name == "nt"
    assert not os.path.exists(url2pathname(urlsplit(given[0]).path))  # once the lab is closed


def test_a_full_disk_keeps_the_browser_shut_and_the_lab_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    assert "#token=" in served(monkeypatch)


def test_other_machines_only_when_named_and_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.warns(module.OpenLabWarning, match="other machines can reach it"):
        address = served(monkeypatch, open_browser=False, host="0.0.0.0")
    assert "#token=" in address


def test_a_port_in_use_is_one_sentence_with_a_remedy() -> None:
    with opened() as server, pytest.raises(OSError, match="in use; name another one, or 0"):
        serve(server.server_port, open_browser=False)


@pytest.mark.parametrize("port", [-1, 65536, True, "80"])
def test_ports_that_are_none(port: Any) -> None:
    with pytest.raises(ValueError, match="between 0 and 65535"):
        serve(port, open_browser=False)


def test_no_host_is_not_every_host() -> None:
    with pytest.raises(ValueError, match="host='' is not allowed: leave it out"):
        serve(host="", open_browser=False)


def test_a_host_that_is_not_ours() -> None:
    with pytest.raises(OSError, match="no address of this machine"):
        serve(open_browser=False, host="192.0.2.1")

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
from weaklearn.lab.serving import bound


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home folder of the tests' own."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return tmp_path


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


def led(monkeypatch: pytest.MonkeyPatch) -> tuple[str, Path, str, list[int]]:
    """What the browser was given: the lab's address, the file, its text, and the modes."""
    found: list[tuple[Path, str, list[int]]] = []
    done = threading.Event()

    def note(address: str) -> bool:
        path = Path(url2pathname(urlsplit(address).path))
        modes = [stat.S_IMODE(place.stat().st_mode) for place in (path, path.parent)]
        found.append((path, path.read_text(), modes))
        done.set()
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    monkeypatch.setattr(LabServer, "serve_forever", lambda self, poll_interval: done.wait(10))
    addresses: list[str] = []
    serve(announce=addresses.append)
    [(path, text, modes)] = found
    return addresses[0], path, text, modes


def test_the_browser_is_led_to_the_page_by_a_file_of_this_user_alone(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """A token on the browser's command line would be in the list of processes.

    Browsers in a sandbox see neither the system's temporary files nor hidden folders of the home.
    """
    address, path, text, modes = led(monkeypatch)
    token = address.partition("#token=")[2]
    assert len(token) >= 40
    assert token not in str(path)
    assert f'content="0; url={address}"' in text
    assert path.parent == home / "weaklearn-lab"
    assert modes == [0o600, 0o700] or os.name == "nt"
    assert not path.exists()  # once the lab is closed
    assert not list(home.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="folders have no modes there")
def test_a_home_whose_group_is_inherited_holds_the_file(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """The folder has the bit of the group too: it was not trusted, and left behind."""
    home.chmod(0o2755)
    if not home.stat().st_mode & stat.S_ISGID:
        pytest.skip("this file system has no such bit")
    address, path, text, modes = led(monkeypatch)
    assert path.parent == home / "weaklearn-lab"
    assert address in text
    assert modes[0] == 0o600
    assert not list(home.iterdir())


def test_another_lab_keeps_the_folder(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    folder = home / "weaklearn-lab"
    folder.mkdir(mode=0o700)
    (folder / "other.html").touch()
    _, path, _, _ = led(monkeypatch)
    assert path.parent == folder
    assert [place.name for place in folder.iterdir()] == ["other.html"]


@pytest.mark.skipif(os.name == "nt", reason="folders have no modes there")
@pytest.mark.parametrize("kind", ["open", "link", "file", "absent"])
def test_a_home_that_cannot_be_trusted_or_used_gives_a_temporary_file(
    monkeypatch: pytest.MonkeyPatch, home: Path, kind: str
) -> None:
    folder = home / "weaklearn-lab"
    if kind == "open":
        folder.mkdir()
        folder.chmod(0o755)
    elif kind == "link":
        (home / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(home / "elsewhere")
    elif kind == "file":
        folder.touch()
    else:
        monkeypatch.setattr(Path, "home", lambda: home / "absent")
    _, path, _, modes = led(monkeypatch)
    assert path.parent == Path(tempfile.gettempdir())
    assert modes[0] == 0o600
    assert not path.exists()


def test_a_warning_that_is_an_error_closes_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[LabServer] = []
    monkeypatch.setattr(module, "bound", lambda *place: made.append(bound(*place)) or made[-1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(module.OpenLabWarning):
            serve(open_browser=False, host="0.0.0.0")
    assert made[0].socket.fileno() == -1


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

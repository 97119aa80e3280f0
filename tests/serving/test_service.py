"""A served model says what the model says, refuses what it must, and answers the next request."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.cli.calling import PYTHON, environment
from tests.mixed_table import later_rows, mixed_table
from weaklearn.cli.evaluation import prediction_columns
from weaklearn.serving import Service
from weaklearn.serving import server as serving
from weaklearn.serving.server import server_of


@cache
def fitted(kind: str = "two") -> Any:
    X, two, three, numbers = mixed_table()
    if kind == "numbers":
        return wl.GradientBoostingRegressor(n_estimators=5).fit(X, numbers)
    y = pd.Series(two if kind == "two" else three, name="ill")
    return wl.GradientBoostingClassifier(n_estimators=5).fit(X, y)


def sent(X: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows in JSON's types."""

    def cell(value: Any) -> Any:
        if value is None or pd.isna(value):
            return None
        if isinstance(value, pd.Timestamp):
            return value.isoformat()
        if isinstance(value, pd.Timedelta):
            return value.as_unit("ns").value
        return value.item() if isinstance(value, np.generic) else value

    return [{name: cell(row[name]) for name in X.columns} for _, row in X.iterrows()]


def asked(service: Service, path: str, body: Any = None, method: str = "") -> tuple[int, Any]:
    """Status and answer of one request, without a server; a body of bytes goes as it is."""
    raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    started: list[str] = []
    environ = {
        "PATH_INFO": path,
        "REQUEST_METHOD": method or ("GET" if body is None else "POST"),
        "CONTENT_LENGTH": str(len(raw)),
        "wsgi.input": io.BytesIO(raw),
    }
    found = b"".join(service(environ, lambda status, _: started.append(status))).decode()
    return int(started[0].split()[0]), json.loads(found) if found.startswith("{") else found


@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
def test_predictions_are_those_of_the_model(kind: str) -> None:
    model, X = fitted(kind), later_rows()
    status, answer = asked(Service(model), "/predict", {"rows": sent(X)})
    assert status == 200, answer
    rows = answer["predictions"]
    assert [row["prediction"] for row in rows] == model.predict(X).tolist()
    if kind != "numbers":
        shares = [list(row["probabilities"].values()) for row in rows]
        assert shares == model.predict_proba(X).tolist()
        assert list(rows[0]["probabilities"]) == model.classes_.tolist()
    as_lists = [list(row.values()) for row in sent(X)]
    assert asked(Service(model), "/predict", {"rows": as_lists})[1] == answer


def test_reasons_and_flags() -> None:
    model, X = fitted(), later_rows()
    request = {"rows": sent(X), "reasons": 2, "flags": True}
    status, answer = asked(Service(model), "/predict", request)
    assert status == 200, answer
    why = model.explain(X)
    for k, row in enumerate(answer["predictions"]):
        towards = why.of(row["prediction"])
        assert [r["column"] for r in row["reasons"]] == [why.names[j] for j in towards.order(k)[:2]]
        first = row["reasons"][0]
        assert first["contribution"] == towards.contributions[k, towards.order(k)[0]]
    assert answer["predictions"][0]["flags"]["town"] == "category not seen in training"
    assert answer["predictions"][6]["flags"]["dose"] == "outside the training range"
    kept = [k for k in range(9, len(X)) if X["dose"].isna().iloc[k]]
    assert all(
        answer["predictions"][k]["flags"]["dose"] == "missing, and never in training" for k in kept
    )
    seen = mixed_table()[0][80:90]
    clean = asked(Service(model), "/predict", {"rows": sent(seen), "flags": True})[1]
    assert all(not row["flags"] for row in clean["predictions"])


@pytest.mark.parametrize("n_rows", [2, 7])
def test_each_output_has_its_probabilities(n_rows: int) -> None:
    """As many rows as outputs were given the probabilities of outputs, one after another."""
    X, two, three, _ = mixed_table()
    both = np.column_stack([two, three])
    model = wl.RandomForestClassifier(n_estimators=3, random_state=0).fit(X, both)
    some = later_rows()[:n_rows]
    status, answer = asked(Service(model), "/predict", {"rows": sent(some)})
    assert status == 200, answer
    for k, shares in enumerate(model.predict_proba(some)):
        found = [row["probabilities"][k] for row in answer["predictions"]]
        assert [list(each) for each in found] == [model.classes_[k].tolist()] * n_rows
        assert [list(each.values()) for each in found] == shares.tolist()
    found = prediction_columns(model, some, True)
    names = [f"probability {k} {label}" for k in (0, 1) for label in model.classes_[k]]
    assert list(found) == ["prediction 0", "prediction 1", *names]
    assert np.array_equal(
        np.column_stack([found[name] for name in names]), np.hstack(model.predict_proba(some))
    )


def test_dates_as_labels() -> None:
    """They were told as numbers, and reasons were refused."""
    X, two, _, _ = mixed_table()
    day = np.where(np.asarray(two) == "no", "2020-01-01", "2021-01-01").astype("M8[ns]")
    model = wl.GradientBoostingClassifier(n_estimators=5).fit(X, day)
    some = later_rows()
    status, answer = asked(Service(model), "/predict", {"rows": sent(some), "reasons": 1})
    assert status == 200, answer
    for row, label in zip(answer["predictions"], model.predict(some), strict=True):
        assert row["prediction"] == str(label)
        assert str(label) in row["probabilities"]
        assert len(row["reasons"]) == 1
    assert asked(Service(model), "/")[1]["classes"] == [str(label) for label in model.classes_]


def test_reasons_of_each_label() -> None:
    X, two, three, _ = mixed_table()
    several = pd.DataFrame({"ill": two == "yes", "other": three == three[0]}).astype(int)
    model = wl.GradientBoostingClassifier(n_estimators=5).fit(X, several)
    some = later_rows()
    _, answer = asked(Service(model), "/predict", {"rows": sent(some), "reasons": 2})
    why = model.explain(some)
    for k, row in enumerate(answer["predictions"]):
        for name in ("ill", "other"):
            of = why.of(name)
            first = row["reasons"][name][0]
            assert first["contribution"] == of.contributions[k, of.order(k)[0]]


def test_texts() -> None:
    texts, kinds = wl.datasets.messages()
    model = wl.text.BoosTexterClassifier(n_estimators=10).fit(texts, kinds)
    service = Service(model)
    status, answer = asked(service, "/predict", {"rows": list(texts[:5])})
    assert status == 200, answer
    assert [row["prediction"] for row in answer["predictions"]] == model.predict(texts[:5]).tolist()
    assert asked(service, "/")[1]["rows"] == "texts"
    assert asked(service, "/predict", {"rows": [3]})[0] == 400


def test_tables_with_texts_are_refused() -> None:
    texts, kinds = wl.datasets.messages()
    X = pd.DataFrame({"text": texts, "n": range(len(texts))})
    model = wl.text.BoosTexterClassifier(n_estimators=3, text_columns=["text"]).fit(X, kinds)
    with pytest.raises(TypeError, match="some columns are texts"):
        Service(model)


def test_what_the_service_tells_of_itself() -> None:
    service, X = Service(fitted()), mixed_table()[0]
    _, about = asked(service, "/")
    assert (about["model"], about["target"], about["classes"]) == (
        "GradientBoostingClassifier",
        "ill",
        ["no", "yes"],
    )
    assert {column["name"]: column["kind"] for column in about["columns"]} == {
        "age": "number",
        "dose": "number",
        "town": "category",
        "ward": "category",
        "smoker": "category",
        "day": "datetime",
        "waited": "timedelta",
        "key": "integer",
    } | {"smoker": about["columns"][4]["kind"]}
    health = {"status": "ok", "fingerprint": fitted().fingerprint()}
    assert asked(service, "/health") == (200, health)
    assert asked(service, "/drift")[0] == 409
    for _ in range(2):
        assert asked(service, "/predict", {"rows": sent(X)})[0] == 200
    status, drift = asked(service, "/drift")
    assert (status, drift["n_rows"]) == (200, 2 * len(X))
    assert drift["verdict"] != "too few rows"
    small = Service(fitted())
    old = [{**row, "age": 1e6} for row in sent(X)[:2]]
    assert asked(small, "/predict", {"rows": old})[0] == 200
    found = asked(small, "/drift")[1]
    assert (found["verdict"], found["ok"], found["n_rows"]) == ("too few rows", True, 2)
    _, text = asked(service, "/metrics")
    assert 'weaklearn_requests_total{path="/predict",status="200"} 2' in text
    assert f"weaklearn_rows_total {2 * len(X)}" in text
    assert asked(service, "/health", method="HEAD")[1] == ""


_ROW: dict[str, Any] = sent(mixed_table()[0][:1])[0]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"\xff", "no UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"rows": [[NaN]]}', "NaN is no JSON"),
        ([], "send an object such as"),
        ({"rows": {}}, "send an object such as"),
        ({"rows": []}, "has 0 rows; send 1 to 20"),
        ({"rows": [_ROW] * 21}, "has 21 rows; send 1 to 20"),
        ({"rows": [_ROW], "reason": 3}, "'reason' is unknown"),
        ({"rows": [_ROW], "reasons": -1}, "reasons must be a number of columns"),
        ({"rows": [_ROW], "reasons": True}, "reasons must be a number of columns"),
        ({"rows": [_ROW], "flags": "yes"}, "flags must be true or false"),
        ({"rows": [3]}, "rows[0] must be an object, or a list of 8 values"),
        ({"rows": [[1, 2]]}, "rows[0] must be an object, or a list of 8 values"),
        ({"rows": [{"age": 3}]}, "rows[0] lacks 'dose'"),
        ({"rows": [_ROW | {"age": [3]}]}, "rows[0] holds [3]"),
        ({"rows": [_ROW | {"age": "old"}]}, "'old'"),
        ({"rows": [_ROW | {"day": "soon"}]}, "a text such as 2024-05-01T12:00:00"),
        ({"rows": [_ROW | {"waited": "3 h"}]}, "a number of"),
    ],
)
def test_what_is_refused(body: Any, words: str) -> None:
    service = Service(fitted(), max_rows=20)
    status, answer = asked(service, "/predict", body, "POST")
    assert status == 400, answer
    assert words in answer["error"]
    assert asked(service, "/predict", {"rows": [_ROW]})[0] == 200


def test_paths_methods_and_sizes() -> None:
    service = Service(fitted(), max_body=100)
    assert asked(service, "/nowhere")[0] == 404
    assert asked(service, "/predict")[0] == 405
    assert asked(service, "/health", {})[0] == 405
    assert asked(service, "/predict", b"x" * 101, "POST")[0] == 413
    text = asked(service, "/metrics")[1]
    assert 'path="other",status="404"' in text


# --------------------------------------------------------------------------------------- a server


@pytest.fixture
def server() -> Iterator[Any]:
    found = server_of(Service(fitted()), host="127.0.0.1", port=0, threads=2, timeout=1)
    thread = threading.Thread(target=found.run, daemon=True)
    thread.start()
    yield found
    found.close()


def post(port: int, body: bytes) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/predict", body)
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


def test_hostile_clients_are_refused_and_the_next_request_served(server: Any) -> None:
    port, good = server.effective_port, json.dumps({"rows": [_ROW]}).encode()
    assert post(port, good)[0] == 200
    with contextlib.suppress(ConnectionError):  # cut off before all of it is sent, or answered
        assert post(port, b"x" * (2**20 + 1))[0] == 413
    for head in (b"\0\1\2\r\n\r\n", b"GET " + b"x" * 20_000, b"POST /predict HTTP/1.1\r\n" * 9):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as odd:
            odd.sendall(head)
    assert post(port, good)[0] == 200


def test_whoever_sends_slowly_is_cut_off(server: Any) -> None:
    """A byte now and then does not keep a connection open."""
    port = server.effective_port
    with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        slow.sendall(b"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
        cut = threading.Event()

        def drip() -> None:
            while not cut.wait(0.05):
                try:
                    slow.sendall(b" ")
                except OSError:
                    return

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        slow.settimeout(600)  # ended by the server long before
        with contextlib.suppress(ConnectionError):
            assert slow.recv(1) == b""
        cut.set()
        thread.join()
    assert post(port, json.dumps({"rows": [_ROW]}).encode())[0] == 200


def test_whoever_takes_no_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """All places are taken by clients that ask for large answers and read nothing of them."""
    monkeypatch.setattr(serving, "CONNECTIONS", 4)
    monkeypatch.setattr(serving, "ANSWER_TIMES", 2)
    service = Service(fitted(), max_body=2**22)
    found = server_of(service, host="localhost", port=0, threads=2, timeout=1)
    thread = threading.Thread(target=found.run, daemon=True)
    thread.start()
    port, good = int(found.effective_port), json.dumps({"rows": [_ROW]}).encode()
    many = json.dumps({"rows": [_ROW] * 10_000, "reasons": 2}).encode()
    head = f"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: {len(many)}\r\n\r\n"
    with contextlib.ExitStack() as held:
        for _ in range(4):
            silent = held.enter_context(socket.socket())
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            silent.connect((found.effective_host, port))
            silent.sendall(head.encode() + many)
        assert post(port, good)[0] == 200  # accepted when a place is free again
    found.close()


def test_the_command(tmp_path: Path) -> None:
    fitted().save(tmp_path / "model.weak")
    words = [*PYTHON, "serve", str(tmp_path / "model.weak")]
    with subprocess.Popen(
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        status, answer = post(
            int(address.rstrip("/").rsplit(":")[-1]), json.dumps({"rows": [_ROW]}).encode()
        )
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert (status, process.returncode) == (200, 0)
    assert json.loads(answer)["predictions"][0]["prediction"] in ("yes", "no")
    assert "The server is closed." in errors


def test_the_least_integer_is_no_time() -> None:
    day = pd.Series(pd.date_range("2024-01-01", periods=60, tz="UTC"))
    X = pd.DataFrame({"day": day, "waited": day - day[0]})
    service = Service(wl.AdaBoostClassifier(n_estimators=3).fit(X, np.arange(60) > 20))
    for row in ([-(2**63), 0], [0, -(2**63)]):
        status, answer = asked(service, "/predict", {"rows": [row]})
        assert (status, "it must be" in str(answer)) == (400, True)
    assert asked(service, "/predict", {"rows": [[0, 0]]})[0] == 200


def test_one_row_cannot_spoil_the_drift_of_others() -> None:
    service, good = Service(fitted()), sent(mixed_table()[0])
    status, answer = asked(service, "/predict", {"rows": [good[0] | {"age": 10**400}]})
    assert (status, "larger than any double" in str(answer)) == (400, True)
    assert asked(service, "/predict", {"rows": good})[0] == 200
    assert asked(service, "/drift")[0] == 200


@pytest.mark.parametrize("model", [wl.AdaBoostMOClassifier(n_estimators=3), wl.AllPairsBooster()])
def test_no_reasons_where_scores_are_not_of_classes(model: Any) -> None:
    X = np.arange(90.0).reshape(30, 3) % 7
    service = Service(model.fit(X, np.arange(30) % 3))
    status, answer = asked(service, "/predict", {"rows": X[:2].tolist(), "reasons": 2})
    assert (status, "leave reasons out" in str(answer)) == (400, True), answer


def test_reasons_of_several_targets_are_of_each() -> None:
    X, *_, y = mixed_table()
    two = pd.DataFrame({"up": y, "down": -2 * y})
    model = wl.GradientBoostingRegressor(n_estimators=3).fit(X, two)
    status, answer = asked(Service(model), "/predict", {"rows": sent(X[:2]), "reasons": 1})
    assert status == 200, answer
    reasons = answer["predictions"][0]["reasons"]
    assert list(reasons) == ["up", "down"]
    assert [list(reasons[name][0]) for name in reasons] == [["column", "value", "contribution"]] * 2

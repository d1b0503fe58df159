"""Each fault over a real connection, and what leads a tool there."""

from __future__ import annotations

import json
import math
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from pytest_agentgate.contract.settings import Endpoint
from pytest_agentgate.contract.tool import Provocation
from pytest_agentgate.errors import TargetError
from pytest_agentgate.live.endpoints import moved, pointed, provoked, variables
from pytest_agentgate.live.fault_server import FaultServer, Seen
from pytest_agentgate.live.faults import FAULTS, LARGE, applies

BODY = {"label": "sea", "score": 0.5, "notes": ["calm", None], "ok": True}
SCHEMA = {"type": "object", "properties": {"label": {"enum": ["sea", "air"]}}}
STATUSES = {name: f for name, f in FAULTS.items() if name.startswith("status-")}


def get(server, *, method="GET", timeout=0.3, **more):
    with httpx.Client(trust_env=False, timeout=timeout) as client:
        return client.request(method, f"{server.url}/label?x=1", **more)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("refused", httpx.ConnectError),
        ("hang", httpx.ReadTimeout),
        ("drop", httpx.RemoteProtocolError),
        ("drop-midway", httpx.RemoteProtocolError),
        ("garbage", httpx.RemoteProtocolError),
    ],
)
def test_faults_without_an_answer(fault, error):
    with FaultServer(fault) as server, pytest.raises(error):
        get(server)
    reached = [] if fault == "refused" else [Seen("GET", "/label?x=1")]
    assert server.requests == reached
    with pytest.raises(httpx.ConnectError):
        get(server)


def test_a_slow_drip_gets_past_the_time_limit_of_a_read():
    began = time.monotonic()
    with FaultServer("slow-drip") as server, httpx.Client(trust_env=False) as client:
        with client.stream("GET", server.url, timeout=0.3) as answer:
            for _ in answer.iter_raw():
                if time.monotonic() - began > 0.6:
                    break
        assert answer.status_code == 200
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("fault", STATUSES)
def test_error_statuses(fault):
    with FaultServer(fault) as server:
        answer = get(server)
    waits = fault.endswith("retry-after")
    assert answer.status_code == STATUSES[fault].status
    assert server.canary in answer.json()["error"]["message"]
    assert answer.headers.get("Retry-After") == ("17" if waits else None)
    known = {"fault": fault, "canary": server.canary, "http_status": answer.status_code}
    assert server.transport == known | ({"retry_after": 17} if waits else {})


def test_a_redirect_leads_to_a_login_page_and_knows_who_went():
    with FaultServer("redirect") as server:
        assert get(server).status_code == 302
        assert not server.followed
        page = get(server, follow_redirects=True)
        assert server.followed
    assert page.headers["content-type"].startswith("text/html")
    assert server.canary in page.text


def test_answers_that_are_no_answer():
    with FaultServer("html-page", body=BODY) as server:
        assert get(server).text.startswith("<!DOCTYPE html>")
    with FaultServer("empty", body=BODY) as server:
        answer = get(server)
        assert (answer.status_code, answer.content) == (200, b"")
    with FaultServer("truncated-json", body=BODY) as server:
        answer = get(server)
        assert answer.status_code == 200
    with pytest.raises(json.JSONDecodeError):
        answer.json()


def spoilt(fault, body=BODY, schema=SCHEMA):
    with FaultServer(fault, body=body, schema=schema) as server:
        return get(server, timeout=3).json(), server.canary


def test_wrong_types_are_wrong_in_every_place():
    value, canary = spoilt("wrong-types")
    assert value.pop("agentgate") == [canary]
    assert value == {
        "label": [canary],
        "score": canary,
        "notes": [[canary], canary],
        "ok": canary,
    }


def test_out_of_enum_touches_what_is_enumerated_alone():
    value, canary = spoilt("out-of-enum")
    assert value == {**BODY, "label": canary}
    rows, canary = spoilt("out-of-enum", [BODY], {"items": SCHEMA})
    assert rows == [{**BODY, "label": canary}]


@pytest.mark.parametrize(
    ("body", "schema", "answer"),
    [
        (BODY, SCHEMA, True),
        ([BODY], {"type": "array", "items": SCHEMA}, True),
        (BODY, {"enum": ["sea", "air"]}, True),
        ({"labels": ["sea"]}, {"type": "array", "items": {"enum": ["sea"]}}, True),
        ({"a": {"b": ["x"]}}, {"properties": {"b": {"items": {"enum": ["x"]}}}}, True),
        ("sea", {"anyOf": [{"type": "null"}, {"enum": ["sea", 1]}]}, True),
        ({"label": "land"}, SCHEMA, False),
        ({"n": 1}, {"enum": [1, 2]}, False),
        (BODY, {"enum": None, "properties": []}, False),
        ({"other": "sea"}, SCHEMA, False),
        (BODY, {"type": "object"}, False),
        (BODY, None, False),
        (None, SCHEMA, False),
    ],
)
def test_out_of_enum_needs_an_enumerated_value(body, schema, answer):
    assert applies(FAULTS["out-of-enum"], body, schema) is answer
    assert all(
        applies(f, body, schema) for n, f in FAULTS.items() if n != "out-of-enum"
    )


def test_nan_stands_in_every_place():
    value, _ = spoilt("nan")
    assert math.isnan(value["score"])
    assert math.isnan(value["label"])


@pytest.mark.parametrize("body", [None, BODY, [BODY], "text"])
def test_a_large_body_is_valid_json_of_a_megabyte(body):
    with FaultServer("large-body", body=body) as server:
        answer = get(server, timeout=3)
    assert len(answer.content) > LARGE
    assert type(answer.json()) is type(body if body is not None else {})


def test_instructions_stand_where_text_is_free():
    value, canary = spoilt("instructions")
    assert (value["label"], value["score"]) == ("sea", 0.5)
    assert value["notes"][0].startswith(f"{canary} Ignore all previous instructions")
    generic, canary = spoilt("instructions", None)
    assert generic["text"].startswith(canary)


@pytest.mark.parametrize("fault", ["truncated-json", "wrong-types", "nan"])
def test_without_an_example_body_another_shape_is_served(fault):
    with FaultServer(fault) as server:
        assert get(server).text.startswith('{"agentgate": ')


@pytest.mark.parametrize("fault", FAULTS)
def test_what_rules_may_know(fault):
    known = FAULTS[fault].transport("c")
    assert (known["fault"], known["canary"]) == (fault, "c")
    failed = known.keys() & {"error", "timed_out"} or known.get("http_status", 0) >= 400
    assert bool(failed) is (fault not in ("large-body", "instructions"))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "HEAD", "BREW"])
def test_every_method_meets_the_fault(method):
    with FaultServer("status-503") as server:
        assert get(server, method=method).status_code == 503
    assert server.requests == [Seen(method, "/label?x=1")]


def test_the_body_of_a_request_is_read():
    chunks = (b"x" * 100_000 for _ in range(3))
    with FaultServer("status-503") as server:
        assert get(server, method="POST", content=b"y" * 500_000).status_code == 503
        assert get(server, method="POST", content=chunks).status_code == 503
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", ["hang", "slow-drip", "status-500"])
def test_no_thread_outlives_the_block(fault):
    before = set(threading.enumerate())
    began = time.monotonic()
    with socket.socket() as silent, socket.socket() as one:
        with FaultServer(fault) as server:
            address = ("127.0.0.1", int(server.url.rpartition(":")[2]))
            silent.connect(address)
            one.connect(address)
            one.sendall(b"GET / HTTP/1.1\r\n\r\n")
            while not server.requests and time.monotonic() - began < 2:
                time.sleep(0.01)
        assert set(threading.enumerate()) == before
    assert time.monotonic() - began < 2


def test_a_connection_without_a_request_is_none():
    with FaultServer("status-500") as server, socket.socket() as silent:
        silent.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
        silent.sendall(b"\x16\x03\x01 no request\r\n\r\n")
        silent.recv(100)
    assert server.requests == []


NEW = "http://127.0.0.1:99"


@pytest.mark.parametrize(
    ("present", "new"),
    [
        (None, NEW),
        ("", NEW),
        (8000, NEW),
        ("http://localhost:8000", NEW),
        ("http://localhost:8000/", f"{NEW}/"),
        ("https://api.example.com/v1/label?key=x", f"{NEW}/v1/label?key=x"),
        ("http://[::1]:80/v1", f"{NEW}/v1"),
        ("localhost:8000", "127.0.0.1:99"),
        ("localhost:8000/v1", "127.0.0.1:99/v1"),
    ],
)
def test_an_address_keeps_its_form(present, new):
    assert moved(present, NEW) == new


def test_a_variable_is_set_and_put_back(monkeypatch, tmp_path):
    monkeypatch.setenv("H5_URL", "http://here/v1")
    endpoint = Endpoint(variable="H5_URL")
    with pointed(endpoint, NEW, tmp_path):
        assert os.environ["H5_URL"] == f"{NEW}/v1"
    assert os.environ["H5_URL"] == "http://here/v1"
    monkeypatch.delenv("H5_URL")
    with suppress(KeyError), pointed(endpoint, NEW, tmp_path):
        assert os.environ["H5_URL"] == NEW
        raise KeyError
    assert "H5_URL" not in os.environ


FILES = {
    "services.yaml": """# Ours.
answer: no   # a word in YAML 1.2, a boolean in 1.1
services:
  - {name: a}
  - name: b
    a/b: http://x:1/v1  # here
""",
    "services.json": '{"services": [{}, {"a/b": "http://x:1/v1"}]}',
}


@pytest.mark.parametrize("name", FILES)
def test_a_changed_copy_of_a_file_is_served(tmp_path, monkeypatch, name):
    monkeypatch.setenv("H5_FILE", "before")
    (tmp_path / name).write_text(FILES[name])
    endpoint = Endpoint(variable="H5_FILE", file=name, pointer="/services/1/a~1b")
    with pointed(endpoint, NEW, tmp_path):
        copy = Path(os.environ["H5_FILE"])
        assert copy.name == name
        assert f'"{NEW}/v1"' in copy.read_text()
        if name.endswith("yaml"):
            there = FILES[name].replace("http://x:1/v1", f'"{NEW}/v1"')
            assert copy.read_text() == there
        assert "http://x" not in copy.read_text()
    assert not copy.exists()
    assert os.environ["H5_FILE"] == "before"
    assert (tmp_path / name).read_text() == FILES[name]


@pytest.mark.parametrize(
    ("text", "pointer", "seen"),
    [
        ("a: {b: x}", "/a/c", "nothing at '/a/c'"),
        ("a: [x]", "/a/1", "nothing at '/a/1'"),
        ("a: [x]", "/a/x", "nothing at '/a/x'"),
        ("a: x", "/a/b/c", "nothing at '/a/b/c'"),
        ("null", "/a", "nothing at '/a'"),
        ('{"a": {}}', "/a/c", "nothing at '/a/c'"),
        ('{"a": [1]}', "/a/-", "nothing at '/a/-'"),
        ('{"a": 1}', "/a/b", "nothing at '/a/b'"),
        ("a: [", "/a", "ValueError"),
        (None, "/a", "FileNotFoundError"),
    ],
)
@pytest.mark.parametrize("name", ["s.yaml", "s.json"])
def test_a_file_without_the_place_is_said(tmp_path, name, text, pointer, seen):
    if text is not None:
        (tmp_path / name).write_text(text)
    is_json = name.endswith("json")
    if is_json and text and not text.startswith("{") and text != "null":
        seen = "JSONDecodeError"
    endpoint = Endpoint(variable="H5_FILE", file=name, pointer=pointer)
    with pytest.raises(TargetError) as caught, pointed(endpoint, NEW, tmp_path):
        pass
    assert seen in caught.value.seen
    assert caught.value.problem == f"the endpoint in {name} cannot be replaced"
    assert "H5_FILE" not in os.environ


def test_a_function_sets_and_its_result_undoes(tmp_path):
    log = []

    def use(url):
        log.append(url)
        return lambda: log.append("undone")

    with pointed(Endpoint(callable="m:use"), NEW, tmp_path, use):
        assert log == [NEW]
    assert log == [NEW, "undone"]
    with pointed(Endpoint(callable="m:use"), NEW, tmp_path, log.append):
        pass
    assert log == [NEW, "undone", NEW]


def test_a_function_that_raises_is_no_fault_of_the_tool(tmp_path):
    def use(url):
        raise ZeroDivisionError("x")

    with (
        pytest.raises(
            TargetError, match="points a tool to its endpoint raised"
        ) as found,
        pointed(Endpoint(callable="m:use"), NEW, tmp_path, use),
    ):
        pass
    assert found.value.seen == "ZeroDivisionError: x"


def test_files_and_variables_of_a_provocation(monkeypatch):
    monkeypatch.setenv("H5_OUT", "set")
    monkeypatch.setenv("H5_DIR", "set")
    here = Path.cwd()
    told = Provocation(
        environment={"H5_DIR": "{tmp}/conf", "H5_OUT": None, "H5_NEW": "x"},
        files={"conf/services.yaml": "services: [\n"},
    )
    with provoked(told):
        folder = Path(os.environ["H5_DIR"])
        assert (folder / "services.yaml").read_text() == "services: [\n"
        assert "H5_OUT" not in os.environ
        assert (os.environ["H5_NEW"], Path.cwd()) == ("x", here)
    assert not folder.exists()
    assert (os.environ["H5_DIR"], os.environ["H5_OUT"]) == ("set", "set")
    assert "H5_NEW" not in os.environ


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "."])
def test_a_provocation_writes_below_its_folder_alone(name):
    with (
        pytest.raises(TargetError, match="a failure mode writes") as caught,
        provoked(Provocation(files={name: "x"})),
    ):
        pass
    assert "without '..'" in caught.value.way_out


def test_variables_that_overlap_are_put_back_in_order(monkeypatch):
    monkeypatch.delenv("H5_X", raising=False)
    with variables({"H5_X": "1"}), variables({"H5_X": None}):
        assert "H5_X" not in os.environ
    assert "H5_X" not in os.environ

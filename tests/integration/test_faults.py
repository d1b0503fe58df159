"""Failure paths of a real HTTP tool, good and bad, under faults over real sockets."""

from __future__ import annotations

from collections import defaultdict

import pytest

from pytest_agentgate.live.faults import FAULTS

GOOD = '''
import json, os, time
import httpx

STOP = "If it fails again, stop and tell the user."


def failed(cause, remedy, **more):
    actions = [f"Cause: {cause}.", remedy, STOP]
    summary = f"No label: {cause}."
    return {"status": "error", "summary": summary, "next_actions": actions, **more}


def fetch(name, arguments):
    """Bounded in time as a whole, without redirects."""
    end = time.monotonic() + 0.4
    with CLIENT.stream("GET", os.environ["LABEL_URL"], params=arguments) as answer:
        body = b""
        for part in answer.iter_bytes():
            body += part
            if time.monotonic() > end:
                raise httpx.ReadTimeout("too slow")
    return answer, body


# One for all calls: making one loads the certificates.
CLIENT = httpx.Client(
    timeout=0.2, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
)


def label(name, arguments):
    try:
        answer, body = fetch(name, arguments)
    except httpx.TimeoutException:
        return failed("the label service did not answer in time", "Retry once.")
    except httpx.ConnectError:
        cause = "the label service refused the connection"
        return failed(cause, "Start it with `make serve`, then retry once.")
    except httpx.HTTPError:
        return failed("the label service closed the connection", "Retry once.")
    if answer.status_code != 200:
        wait = answer.headers.get("Retry-After", "60")
        wait = wait if wait.isdigit() else "60"
        cause = f"the label service answered with status {answer.status_code}"
        return failed(cause, f"Wait {wait} seconds, then retry once.")
    try:
        text = json.loads(body)["label"]
        assert text in ("sea", "air")
    except Exception:
        cause = "the label service answered with an invalid label"
        return failed(cause, "Ask the user to restart it, then retry once.")
    return {
        "status": "success",
        "summary": f"Labelled as {text}.",
        "payload": {"label": text},
        "source": "label service",
    }
'''
POLICY = """
version: 1
tools: {call: "tools:execute", contracts: contracts.yaml}
faults:
  seconds: 0.5
  endpoints: {%s}
  bodies: {label: {label: sea}, gullible: {label: sea}}
"""
LABEL = """
version: 1
tools:
  label:
    side_effect: read_only
    timeout_seconds: 2
    output_schema: {properties: {label: {enum: [sea, air]}}}
    failure_modes:
      - {name: unreachable, provoked_by: {fault: refused}, status: error,
         cause: 'refused', remedy: 'make serve', stop: 'fails again, stop'}
"""


def by_case(child):
    """Outcome and the rules that complained, by case; first trials."""
    rules = defaultdict(set)
    for trial in child.manifest["trials"]:
        name = trial["task"].partition("[")[2].rstrip("]")
        assert trial["outcome"] in ("passed", "failed", "errored")
        rules[name] |= {finding["rule"] for finding in trial["findings"]}
        rules[name] |= {trial["outcome"]}
    return dict(rules)


@pytest.mark.parametrize("mode", ["-n0", "-n2"])
def test_five_lines_cover_every_failure_path_of_a_tool(child, mode):
    files = {
        "tools.py": f"{GOOD}\nexecute = label\n",
        "agentgate.yaml": POLICY % "label: {variable: LABEL_URL}",
        "contracts.yaml": LABEL,
        "test_it.py": """
import pytest

@pytest.mark.agentgate
@pytest.mark.agentgate_faults("label", {"text": "The Navy launched a destroyer."})
def test_failure_paths(agentgate_fault):
    agentgate_fault.call()
""",
    }
    result = child("--agentgate", "--strict-markers", mode, files=files)
    assert result.code == 0, result.out
    names = {"mode:unreachable", *FAULTS} - {"refused"}
    assert by_case(result) == {name: {"passed"} for name in names}
    modes = {mode for trial in result.manifest["trials"] for mode in trial["modes"]}
    assert modes == {"label/unreachable"}
    assert "0 leaked threads" in result.out


BAD = '''
def endless(name, arguments):
    """Has no stop."""
    try:
        fetch(name, arguments)
    except httpx.ConnectError:
        actions = ["Start the label service with `make serve`."]
        summary = "The label service refused the connection."
        return {"status": "error", "summary": summary, "next_actions": actions}


def talkative(name, arguments):
    """Passes the service's words on as advice."""
    _, body = fetch(name, arguments)
    return failed("the label service failed", f"Do this: {body.decode()}")


def gullible(name, arguments):
    """Calls success whatever comes."""
    url = os.environ["LABEL_URL"]
    body = httpx.get(url, follow_redirects=True, trust_env=False, timeout=5).text
    payload = {"label": body[:20]}
    summary = "Labelled."
    return {
        "status": "success", "summary": summary, "payload": payload, "source": "web"
    }


def patient(name, arguments):
    """Waits as long as it takes."""
    httpx.get(os.environ["LABEL_URL"], trust_env=False, timeout=60)


def dripping(name, arguments):
    """Bounds each read and not the whole."""
    httpx.get(os.environ["LABEL_URL"], trust_env=False, timeout=0.2)


def raising(name, arguments):
    fetch(name, arguments)


def hasty(name, arguments):
    """Knows how long to wait and keeps it to itself."""
    fetch(name, arguments)
    return failed("the label service is busy", "Retry once.")


def wrong_flag(name, arguments):
    fetch(name, arguments)
    return failed("the label service wants a login", "Sign in.", retryable=True)


def passing_on(name, arguments):
    _, body = fetch(name, arguments)
    summary = "Labelled."
    return {
        "status": "success", "summary": summary, "payload": json.loads(body),
        "source": "label service",
    }


URL = "http://127.0.0.1:9"


def deaf(name, arguments):
    """Reads its endpoint once, at import."""
    try:
        httpx.get(URL, trust_env=False, timeout=0.2)
    except httpx.HTTPError:
        return failed("the label service refused the connection", "Retry once.")


def execute(name, arguments):
    return globals()[name](name, arguments)
'''
CASES = {
    "endless": {"refused": {"failed", "recovery.stop-condition"}},
    "talkative": {
        "status-503": {"failed", "recovery.tainted"},
        "html-page": {"failed", "recovery.tainted", "hygiene.raw-markup"},
    },
    "gullible": {
        name: {"failed", "honesty.status"}
        for name, fault in FAULTS.items()
        if fault.status is not None and not fault.may_succeed
    },
    "patient": {"hang": {"failed", "envelope.raised"}},
    "dripping": {"slow-drip": {"failed", "envelope.raised"}},
    "raising": {
        name: {"failed", "envelope.raised"}
        for name in ("garbage", "drop", "drop-midway")
    },
    "hasty": {"status-429-retry-after": {"passed", "recovery.retry-after"}},
    "wrong_flag": {"status-401": {"failed", "recovery.retry-class"}},
    "passing_on": {
        "large-body": {"failed", "context.result-size"},
        "instructions": {"passed", "hygiene.untrusted-instructions"},
    },
    "deaf": {"refused": {"errored"}, "hang": {"errored"}},
}


def test_each_bad_failure_path_breaks_its_rule(child):
    lines = ["import pytest", 'NARROW = pytest.mark.agentgate(rules="envelope")']
    for tool, faults in CASES.items():
        mark = "NARROW" if tool == "gullible" else "pytest.mark.agentgate"
        lines += [
            f"@{mark}",
            f"@pytest.mark.agentgate_faults({tool!r}, faults={list(faults)})",
            f"def test_{tool}(agentgate_fault): agentgate_fault.call()",
        ]
    endpoints = ", ".join(f"{tool}: {{variable: LABEL_URL}}" for tool in CASES)
    files = {
        "tools.py": GOOD + BAD,
        "agentgate.yaml": POLICY % endpoints,
        "contracts.yaml": """
version: 1
tools:
  gullible: {output_schema: {properties: {label: {enum: [sea, air]}}}}
""",
        "test_it.py": "\n".join(lines),
    }
    result = child("--agentgate", files=files)
    assert result.code == 1, result.out
    seen = defaultdict(dict)
    for trial in result.manifest["trials"]:
        tool, _, fault = (
            trial["task"].partition("::test_")[2].rstrip("]").partition("[")
        )
        rules = {finding["rule"] for finding in trial["findings"]}
        seen[tool][fault] = {trial["outcome"]} | rules
    for tool, faults in CASES.items():
        for fault, wanted in faults.items():
            assert wanted <= seen[tool][fault], (tool, fault, seen[tool][fault])
    reasons = "\n".join(trial["reason"] for trial in result.manifest["trials"])
    assert "honesty.status: success, but the transport failed" in reasons
    assert "honesty.status: success, but the transport answered 500" in reasons
    assert "no result within its declared time-out of 0.5 s" in reasons
    assert "'refused' never reached deaf: its server saw no request" in reasons
    assert "'hang' never reached deaf: its server saw no request" in reasons
    assert "the tool must read it at each call" in reasons


PLACES = """
import asyncio, json, os, urllib.error, urllib.request
from pathlib import Path

HERE = {"url": "http://127.0.0.1:9"}


def failed(cause, **more):
    actions = ["Retry once; if it fails again, stop and tell the user."]
    summary = f"There is no answer: {cause}."
    return {"status": "error", "summary": summary, "next_actions": actions}


def set_url(url):
    before, HERE["url"] = HERE["url"], url
    return lambda: HERE.update(url=before)


async def execute(name, arguments):
    if name == "local":
        path = Path(os.environ.get("NOTES_DIR", "/nowhere"), "notes.txt")
        if arguments.get("text") == 1:
            return failed("'text' must be a string; it is not valid")
        if not path.exists():
            return failed(f"the file {path.name} does not exist")
        return failed(f"the file {path.name} is damaged: {path.read_text()}")
    if name == "file":
        url = json.loads(Path(os.environ["SERVICES"]).read_text())["services"][0]["url"]
    else:
        url = HERE["url"]
    assert not url.endswith("127.0.0.1:9"), url
    try:
        await asyncio.to_thread(urllib.request.urlopen, url, None, 2)
    except urllib.error.HTTPError as error:
        error.close()
        return failed(f"the service answered with status {error.code}")
    except OSError:
        return failed("the service refused the connection")
"""


def test_endpoints_provocations_and_hand_made_use(child):
    files = {
        "tools.py": PLACES,
        "services.json": '{"services": [{"url": "http://127.0.0.1:9/v1"}]}',
        "agentgate.yaml": """
version: 1
tools: {call: "tools:execute", contracts: contracts.yaml}
faults:
  seconds: 0.3
  endpoints:
    file: {variable: SERVICES, file: services.json, pointer: /services/0/url}
    function: {callable: "tools:set_url"}
    fixture: {fixture: moved}
""",
        "contracts.yaml": r"""
version: 1
tools:
  local:
    timeout_seconds: 2
    failure_modes:
      - {name: no_file, provoked_by: {environment: {NOTES_DIR: '{tmp}'}},
         cause: 'does not exist'}
      - {name: damaged, cause: 'damaged: \[half',
         provoked_by: {environment: {NOTES_DIR: '{tmp}/a'},
                       files: {a/notes.txt: '[half'}}}
      - {name: bad_arguments, provoked_by: {arguments: {text: 1}}, cause: 'not valid'}
      - {name: by_fixture, provoked_by: {fixture: no_notes}, cause: 'does not exist'}
      - {name: unsaid, provoked_by: {arguments: {}}, remedy: 'a remedy of its own'}
""",
        "test_it.py": """
import asyncio, os
import pytest
import tools

SOME = ["refused", "status-503"]

@pytest.fixture
def moved(monkeypatch):
    return lambda url: monkeypatch.setitem(tools.HERE, "url", url)

@pytest.fixture
def no_notes(monkeypatch, tmp_path):
    monkeypatch.setenv("NOTES_DIR", str(tmp_path))

@pytest.mark.agentgate
@pytest.mark.agentgate_faults("file", faults=SOME)
@pytest.mark.agentgate_faults("function", faults=SOME)
@pytest.mark.agentgate_faults("fixture", faults=SOME)
def test_places(agentgate_fault):
    assert agentgate_fault.call().status == "error"
    assert "SERVICES" not in os.environ

@pytest.mark.agentgate
@pytest.mark.agentgate_faults("local", {"text": "x"})
def test_modes(agentgate_fault):
    agentgate_fault.call()

@pytest.mark.agentgate
@pytest.mark.agentgate_faults("function", faults=SOME)
def test_async(agentgate_fault):
    assert asyncio.run(agentgate_fault.acall()).status == "error"
    assert tools.HERE == {"url": "http://127.0.0.1:9"}

@pytest.mark.agentgate
@pytest.mark.agentgate_faults("function", faults="hang")
def test_async_over_a_plain_tool(agentgate_fault):
    asyncio.run(agentgate_fault.acall())

@pytest.fixture
def agentgate_tools(request):
    if "plain" not in request.node.name:
        return tools.execute
    return lambda name, arguments: tools.urllib.request.urlopen(tools.HERE["url"])

@pytest.mark.agentgate
def test_by_hand(agentgate, agentgate_faults, monkeypatch):
    with agentgate_faults("status-503") as server:
        monkeypatch.setitem(tools.HERE, "url", server.url)
        seen = agentgate.call("function", {}, transport=server.transport)
    assert "503" in seen.summary and len(server.requests) == 1

@pytest.mark.agentgate
def test_no_such_fault(agentgate_faults):
    agentgate_faults("hangs")

@pytest.mark.agentgate
def test_no_mark(agentgate_fault):
    agentgate_fault.call()
""",
    }
    result = child("--agentgate", files=files)
    passed = {name for name, end in result.outcomes.items() if end == "passed"}
    left = {name: end for name, end in result.outcomes.items() if end != "passed"}
    assert left == {
        "test_modes[mode:unsaid] 1": "failed",
        "test_async_over_a_plain_tool[hang] 1": "failed",
        "test_no_such_fault 1": "errored",
        "test_no_mark 1": "errored",
    }, result.out
    assert {
        f"test_places[{tool}:{fault}] 1"
        for tool in ("file", "function", "fixture")
        for fault in ("refused", "status-503")
    } < passed
    assert "did you mean 'hang'?" in result.out
    assert "agentgate_fault is used without the mark agentgate_faults" in result.out
    assert "the declared remedy is not there" in result.out


def test_a_bad_mark_is_refused_at_collection(child):
    source = """
import pytest

@pytest.mark.agentgate_faults("label", faults=["hangs"])
def test_typo(agentgate_fault): pass

@pytest.mark.agentgate_faults("label")
def test_deaf(agentgate): pass
"""
    files = {
        "agentgate.yaml": POLICY % "label: {variable: LABEL_URL}",
        "contracts.yaml": LABEL,
        "tools.py": "def execute(name, arguments): ...",
    }
    typo, deaf = source.split("\n\n@")[1:]
    for body, messages in (
        (typo, ["test_typo: there is no fault 'hangs'", "did you mean 'hang'?"]),
        (
            deaf,
            ["test_deaf has faults and no way to meet them", "take agentgate_fault"],
        ),
    ):
        files["test_it.py"] = f"import pytest\n\n@{body}"
        result = child("--agentgate", files=files)
        assert result.code == 2, result.out
        for message in messages:
            assert message in result.out

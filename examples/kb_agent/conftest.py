"""What the gate's tests need: services, an index, a model, services that misbehave.

Every pytest process, and so every xdist worker, starts services of its own on ports
that the system picks, and stops them again.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import anthropic
import httpx
import pytest
import yaml
from agent import index, tools
from agent.agent import MODEL, Answer, ask
from agent.tools import TOOLS
from faults import Fault, misbehaving_server
from processes import HERE, running
from seeds import without_first_sentence
from stand_in import reply as stand_in
from stand_in.server import TRIAL_HEADER

from pytest_agentgate import AgentGate


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Run both services; the addresses by name."""
    logs = tmp_path_factory.mktemp("services")
    start = "python -m uvicorn services.{}:app --port 0"
    with (
        running(start.format("classifier"), logs / "classifier.log") as classifier,
        running(start.format("notes"), logs / "notes.log") as notes,
    ):
        yield {"classifier": classifier, "notes": notes}


@pytest.fixture(scope="session")
def kb_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the index of the notes."""
    file = tmp_path_factory.mktemp("index") / "kb.sqlite"
    index.build(file)
    return file


@pytest.fixture(scope="session")
def projects_file(
    services: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Write the example's projects with the addresses of this session's services."""
    content = yaml.safe_load((HERE / "projects.yaml").read_text(encoding="utf-8"))
    for project in content["projects"]:
        if project["name"] in services:
            project["endpoint"] = services[project["name"]]
    file = tmp_path_factory.mktemp("config") / "projects.yaml"
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def settings(
    projects_file: Path, kb_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Point the agent to this session's services and index, whatever the shell says."""
    for name in ("CLASSIFIER_URL", "NOTES_URL", "KB_TIMEOUT_SECONDS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KB_PROJECTS", str(projects_file))
    monkeypatch.setenv("KB_INDEX", str(kb_index))


@pytest.fixture(scope="session")
def stand_in_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the model's stand-in; the address."""
    log = tmp_path_factory.mktemp("stand_in") / "stand_in.log"
    with running("python -m uvicorn stand_in.server:app --port 0", log) as url:
        yield url


@pytest.fixture(scope="session")
def stand_in_client(stand_in_url: str) -> Iterator[anthropic.Anthropic]:
    """Return a client of the stand-in, which no proxy and no retry gets between."""
    with anthropic.Anthropic(
        base_url=stand_in_url,
        api_key="none",
        max_retries=0,
        http_client=anthropic.DefaultHttpxClient(trust_env=False),
    ) as client:
        yield client


@pytest.fixture(scope="session")
def model(
    request: pytest.FixtureRequest,
) -> Iterator[tuple[anthropic.Anthropic, str]]:
    """Return the model and its client: Anthropic's with a key, else the stand-in."""
    if os.environ.get("ANTHROPIC_API_KEY"):
        with anthropic.Anthropic() as client:
            yield client, MODEL
    else:
        yield request.getfixturevalue("stand_in_client"), stand_in.MODEL


@pytest.fixture
def agentgate_target(
    agentgate: AgentGate,
    model: tuple[anthropic.Anthropic, str],
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[str], Answer]:
    """Return the agent, each trial of it with noise of its own.

    ``KB_WORSE_DESCRIPTIONS`` takes the first sentence of every description away.
    """
    client, name = model
    if os.environ.get("KB_WORSE_DESCRIPTIONS"):
        for tool in TOOLS:
            worse = without_first_sentence(tool["description"])
            monkeypatch.setitem(tool, "description", worse)
    if name == stand_in.MODEL:
        client = client.with_options(default_headers={TRIAL_HEADER: _trial(agentgate)})
    return partial(ask, client=client, model=name)


def _trial(agentgate: AgentGate) -> str:
    # Without the file, so that the noise is the same from whichever folder it is run.
    return f"{agentgate.task.rpartition('::')[2]}/{agentgate.trial}"


@pytest.fixture
def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def misbehave(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Fault], str]]:
    """Return a function that replaces both services by one with the given fault.

    It returns the address of the replacement.
    """
    with misbehaving_server() as server:

        def start(fault: Fault) -> str:
            server.fault = fault
            monkeypatch.setenv("CLASSIFIER_URL", f"http://{server.address}")
            monkeypatch.setenv("NOTES_URL", f"http://{server.address}")
            return server.address

        yield start


@pytest.fixture
def notes_service(services: Mapping[str, str]) -> Iterator[httpx.Client]:
    """Return a client of the notes service; what a test adds is deleted after it."""
    with httpx.Client(base_url=services["notes"], trust_env=False) as client:
        yield client
        for event in client.get("/audit").json()["events"]:
            if event["event"] == "note.added":
                client.delete(f"/notes/{event['note']}")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the agent from waiting long for a service that never answers."""
    monkeypatch.setenv("KB_TIMEOUT_SECONDS", "0.3")


@pytest.fixture
def broken_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every tool a defect of its own."""

    def broken(**_: object) -> None:
        raise RuntimeError("a secret of the inside")

    for name in tools.HANDLERS:
        monkeypatch.setitem(tools.HANDLERS, name, broken)


@pytest.fixture
def taken_request_id(notes_service: httpx.Client) -> str:
    """Add a note, so that its request_id is taken for any other; return that."""
    taken = "taken-request-id"
    note = {"title": "another", "body": "b", "tags": [], "request_id": taken}
    notes_service.post("/notes", json=note).raise_for_status()
    return taken

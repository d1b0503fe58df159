"""What the gate's tests need: both services, an index, and services that misbehave.

Every pytest process, and so every xdist worker, starts services of its own on ports
that the system picks, and stops them again.
"""

import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import yaml
from agent import index
from faults import Fault, misbehaving_server
from processes import HERE, running


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

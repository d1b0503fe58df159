"""What ``projects.yaml`` says: the tracked projects and where their services listen.

The file is read at every call, so that an edit needs no restart. ``KB_PROJECTS`` names
another file; ``CLASSIFIER_URL`` and ``NOTES_URL`` override a single endpoint.
"""

import os
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import yaml
from jsonschema import Draft202012Validator

from agent.observation import Observation, Problem, success

Project = dict[str, str]
PROJECT = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "description": {"type": "string"},
        "endpoint": {"type": "string"},
    },
    "required": ["name", "description"],
    "additionalProperties": False,
}
SCHEMA = Draft202012Validator(
    {
        "type": "object",
        "properties": {"projects": {"type": "array", "items": PROJECT}},
        "required": ["projects"],
        "additionalProperties": False,
    }
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a service listens."""

    service: str
    url: str
    host: str
    port: int

    @property
    def address(self) -> str:
        """Host and port, as messages name them."""
        return f"{self.host}:{self.port}"

    @property
    def start_command(self) -> str:
        """The command that starts the service at this very endpoint."""
        app = f"services.{self.service}:app"
        return f"python -m uvicorn {app} --host {self.host} --port {self.port}"


def path() -> Path:
    """Return the projects file in force."""
    beside_agent = Path(__file__).parents[1] / "projects.yaml"
    return Path(os.environ.get("KB_PROJECTS", beside_agent))


def load() -> list[Project]:
    """Read the tracked projects.

    Raises:
        Problem: there is no such file, or it is malformed.
    """
    file = path()
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _no_file(file) from None
    except (OSError, UnicodeDecodeError):
        raise _malformed(file, "it cannot be read as text") from None
    except yaml.YAMLError as error:
        raise _malformed(file, _where(error)) from None
    if broken := next(SCHEMA.iter_errors(content), None):
        place = broken.json_path.removeprefix("$") or "the top level"
        raise _malformed(file, f"{place} breaks the rule {broken.validator!r}")
    projects: list[Project] = content["projects"]
    return projects


def list_projects() -> Observation:
    """List the tracked projects."""
    tracked = load()
    file = path().name
    if not tracked:
        raise _no_projects(file)
    return success(f"{len(tracked)} tracked projects.", tracked, file)


def endpoint(service: str) -> Endpoint:
    """Return where a service listens; only this machine is allowed.

    Raises:
        Problem: no endpoint is configured, or it is not allowed.
    """
    url = os.environ.get(f"{service.upper()}_URL") or _configured(service)
    if url is None:
        raise _no_endpoint(service)
    try:
        parts = urlsplit(url)
        port = 80 if parts.port is None else parts.port
    except ValueError:
        raise _refused(service, "it is no address at all") from None
    if reason := _objection(parts):
        raise _refused(service, reason)
    return Endpoint(service, url.rstrip("/"), str(parts.hostname), port)


def _configured(service: str) -> str | None:
    entries = {project["name"]: project for project in load()}
    return entries.get(service, {}).get("endpoint")


def _objection(parts: SplitResult) -> str | None:
    if parts.scheme != "http":
        return "it does not start with http://"
    if parts.username is not None or parts.password is not None:
        return "it carries a user name or a password"
    if not _is_loopback(parts.hostname or ""):
        return "its host is not a loopback address, and the agent calls no other"
    if parts.port == 0 or parts.query or parts.fragment:
        return "it has the port 0, a query or a fragment"
    return None


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _where(error: yaml.YAMLError) -> str:
    mark: Any = getattr(error, "problem_mark", None)
    return f"line {mark.line + 1} is not valid YAML" if mark else "it is not valid YAML"


def _no_file(file: Path) -> Problem:
    return Problem(
        "There is no projects file.",
        cause=f"{file.name} does not exist where the agent looks for it.",
        remedy=f"Ask the user to create {file.name} with a 'projects:' list, or to set "
        "KB_PROJECTS to an existing file; then make this call once more.",
        stop="If the file is still missing then, stop and tell the user.",
    )


def _malformed(file: Path, reason: str) -> Problem:
    return Problem(
        "The projects file is malformed.",
        cause=f"{file.name} does not hold a list of projects: {reason}.",
        remedy=f"Ask the user to correct {file.name}; then make this call once more.",
        stop="If it is still malformed then, stop and tell the user.",
    )


def _no_projects(file: str) -> Problem:
    return Problem(
        f"No projects are tracked in {file}.",
        cause=f"the 'projects:' list in {file} is empty.",
        remedy=f"Ask the user to add a project to {file}; then make this call once "
        "more.",
        stop="If the list is still empty then, stop and tell the user.",
        status="warning",
    )


def _no_endpoint(service: str) -> Problem:
    return Problem(
        f"No endpoint is configured for the {service} service.",
        cause=f"{path().name} lists no endpoint for the project {service!r}.",
        remedy=f"Ask the user to add 'endpoint: http://127.0.0.1:PORT' to {service!r} "
        f"in {path().name}; then make this call once more.",
        stop="If there is still no endpoint then, stop and tell the user.",
    )


def _refused(service: str, reason: str) -> Problem:
    return Problem(
        f"The endpoint of the {service} service is not allowed.",
        cause=f"the agent does not call this endpoint, because {reason}.",
        remedy=f"Ask the user to give {service!r} an endpoint of the form "
        f"http://127.0.0.1:PORT in {path().name}; then make this call once more.",
        stop="If that endpoint is refused too, stop and tell the user.",
    )

"""The policy file, ``agentgate.yaml``: composed of the layers' settings, and loaded.

Each layer owns its settings model; here they are put together, read strictly, and
handed down as values. No lower layer reads "the policy".
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from ..contract.mapping import ObservationMapping
from ..contract.settings import FaultSettings, ProbeSettings, ServerSettings
from ..gate.terms import BUILT_IN_GATES, GateTerms, HealthSettings, over_built_in
from ..grading.context import Caps
from ..grading.settings import RuleSettings
from .contracts import load_contracts
from .references import resolve
from .validation import FormatVersion, pattern_problem, problem_at, validate
from .yaml_reader import read_document

__all__ = [
    "LoadedPolicy",
    "Policy",
    "RedactionSettings",
    "Target",
    "ToolLayer",
    "find_policy",
    "load_contracts",
    "load_policy",
    "resolve",
]

NAMES = ("agentgate.yaml", "agentgate.yml")
DOCS = "docs/reference/policy.md"


def _check_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", name):
        raise PydanticCustomError(
            "gate_name",
            "{name} is no name for a gate",
            {"name": repr(name), "expected": "letters, digits, '_', '.', '-'"},
        )
    return name


GateName = Annotated[str, AfterValidator(_check_name)]


class Target(BaseModel):
    """What is under test.

    Attributes:
        id: the agent's name, as reports print it.
        version: its version; ``git`` stands for the revision of the checkout.
        call: the agent as ``module:attribute``, a function of one input.
        instructions: its system prompt: a file, or ``module:attribute``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = ""
    version: str = "git"
    call: str | None = None
    instructions: str | None = None


class ToolLayer(BaseModel):
    """Where the tools are.

    Attributes:
        call: the dispatcher as ``module:attribute``, a function of name and arguments,
            or an MCP server as ``mcp:COMMAND`` or ``mcp:URL``.
        catalogue: the tool definitions: ``module:attribute``, a JSON file, or an MCP
            server.
        served: another transport that serves the same tools: an MCP server, a
            reference or a file; it must serve what the catalogue says.
        contracts: the file with the tools' contracts, from the policy's folder.
        lint: whether ``pytest --agentgate`` judges every contract, one item a tool.
        server: how MCP servers are run.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    call: str | None = None
    catalogue: str | None = None
    served: str | None = None
    contracts: str | None = None
    lint: bool = False
    server: ServerSettings = Field(default_factory=ServerSettings)


class RedactionSettings(BaseModel):
    """What counts as a secret besides what is known as one.

    Attributes:
        keys: names whose values are secret.
        patterns: regular expressions of secrets.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    keys: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


class Policy(BaseModel):
    """What a release must hold to.

    Attributes:
        version: the format of this file; 1.
        target: what is under test.
        tools: where the tools are.
        observation: how results are read as observations: ours from yours.
        rules: which rules apply, and how severe they are.
        caps: limits on what enters the model's window.
        gates: terms by gate name; a built-in gate's name may give only some.
        health: how complete a run must be.
        waivers: the file of waived findings, from the policy's folder.
        faults: where faults are injected.
        probe: what probing sends, and where.
        redaction: what counts as a secret besides what is known as one.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"required": ["version"]}
    )

    version: FormatVersion = 1
    target: Target = Field(default_factory=Target)
    tools: ToolLayer = Field(default_factory=ToolLayer)
    observation: ObservationMapping = Field(default_factory=ObservationMapping)
    rules: RuleSettings = Field(default_factory=RuleSettings)
    caps: Caps = Field(default_factory=Caps)
    gates: dict[GateName, GateTerms] = Field(default_factory=dict)
    health: HealthSettings = Field(default_factory=HealthSettings)
    waivers: str | None = None
    faults: FaultSettings = Field(default_factory=FaultSettings)
    probe: ProbeSettings = Field(default_factory=ProbeSettings)
    redaction: RedactionSettings = Field(default_factory=RedactionSettings)

    @field_validator("gates", mode="before")
    @classmethod
    def _fill_in_built_ins(cls, gates: Any) -> Any:
        if not isinstance(gates, Mapping):
            return gates
        return {
            name: over_built_in(name, terms) if isinstance(terms, Mapping) else terms
            for name, terms in gates.items()
        }

    def known_gates(self) -> dict[str, GateTerms]:
        """Return every gate that a mark may name, the built-in ones included."""
        return {**BUILT_IN_GATES, **self.gates}


@dataclass(frozen=True, slots=True)
class LoadedPolicy:
    """A policy and the file that it is from.

    Attributes:
        policy: the settings.
        path: the file, absolute.
        sha256: of the file's bytes, hexadecimal.
        text: the file's text.
    """

    policy: Policy
    path: Path
    sha256: str
    text: str = field(repr=False)

    @property
    def folder(self) -> Path:
        """Where the policy's paths and ``module:attribute`` start from."""
        return self.path.parent


def find_policy(root: Path) -> Path | None:
    """Return the policy file of a folder: agentgate.yaml, else agentgate.yml."""
    return next((root / name for name in NAMES if (root / name).exists()), None)


def load_policy(path: Path) -> LoadedPolicy:
    """Load a policy file.

    Raises:
        PolicyError: with file and line: what was expected, what was seen, the way out.
    """
    document = read_document(path)
    policy = validate(Policy, document, DOCS)
    if "version" not in policy.model_fields_set:
        raise problem_at(
            document,
            (),
            "key 'version' is missing",
            expected="version: 1",
            way_out="add 'version: 1'",
            docs=f"{DOCS}#version",
        )
    for index, pattern in enumerate(policy.redaction.patterns):
        if problem := pattern_problem(pattern):
            raise problem_at(
                document,
                ("redaction", "patterns", index),
                f"redaction.patterns[{index}] cannot be used: {problem}",
                expected="a regular expression",
                seen=repr(pattern[:80]),
                way_out="write a simpler pattern",
                docs=f"{DOCS}#redaction",
            )
    return LoadedPolicy(
        policy=policy,
        path=path.absolute(),
        sha256=hashlib.sha256(document.raw).hexdigest(),
        text=document.raw.decode("utf-8-sig"),
    )

"""The policy's blocks about proving contracts: servers, faults, probes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class ServerSettings(BaseModel):
    """How MCP servers named in the policy are run.

    Attributes:
        timeout_seconds: for starting, listing, and each call.
        environment: names of variables that a server started by command is given
            besides the few that every program needs.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    timeout_seconds: float = Field(default=20.0, gt=0)
    environment: tuple[str, ...] = ()


class Endpoint(BaseModel):
    """Where a tool finds its service: one of four forms.

    Attributes:
        variable: an environment variable that holds the URL; with ``file``, the one
            that holds the path of the file.
        file: a YAML or JSON file that holds the URL; a changed copy of it is served.
        pointer: JSON pointer to the URL in the file.
        callable: ``module:attribute``, a function of the URL; what it returns, if it
            can be called, undoes it.
        fixture: a pytest fixture whose value is a function of the URL.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    variable: str | None = None
    file: str | None = None
    pointer: str | None = None
    callable: str | None = None
    fixture: str | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Endpoint:
        form = {name for name in type(self).model_fields if getattr(self, name)}
        if form not in FORMS:
            raise ValueError(
                "expected {variable}, {file, pointer, variable}, {callable} or "
                "{fixture}"
            )
        return self


FORMS = ({"variable"}, {"file", "pointer", "variable"}, {"callable"}, {"fixture"})


class FaultSettings(BaseModel):
    """Fault injection.

    Attributes:
        endpoints: where each tool finds its service, by tool.
        bodies: what each tool's service answers when all is well, by tool; faults
            that answer with a body make theirs of it.
        seconds: how long a call may take under a fault that hangs, beyond which the
            tool has failed; its contract's ``timeout_seconds`` where not given, and
            30 where that is not either.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    endpoints: dict[str, Endpoint] = Field(default_factory=dict)
    bodies: dict[str, Any] = Field(default_factory=dict)
    seconds: float | None = Field(default=None, gt=0)


class StateSettings(BaseModel):
    """A state that probing looks at before and after a call: one of four kinds.

    Attributes:
        sqlite: a database file.
        directory: a folder; names and contents count.
        json_file: a JSON file.
        callable: ``module:attribute``, a function that returns the state.
        reset: ``module:attribute``, a function that brings the state back; verified
            before anything is probed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    sqlite: str | None = None
    directory: str | None = None
    json_file: str | None = Field(default=None, alias="json")
    callable: str | None = None
    reset: str | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> StateSettings:
        kinds = (self.sqlite, self.directory, self.json_file, self.callable)
        if sum(kind is not None for kind in kinds) != 1:
            raise ValueError("expected one of sqlite, directory, json, callable")
        return self


class ProbeSettings(BaseModel):
    """What probing sends, and where.

    Attributes:
        seed: of what is drawn at random.
        random: random valid calls of each tool, after its boundaries.
        seconds: how long one tool is probed at most.
        mutating: names of mutating tools that may be called; ``all`` for all.
        calls: a valid call of a tool whose schema cannot say what is valid, by tool;
            arguments that are given here keep their value.
        state: what a call must not change, or change once.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0
    random: int = Field(default=20, ge=0)
    seconds: float = Field(default=60.0, gt=0)
    mutating: tuple[str, ...] | Literal["all"] = ()
    calls: dict[str, dict[str, Any]] = Field(default_factory=dict)
    state: StateSettings | None = None

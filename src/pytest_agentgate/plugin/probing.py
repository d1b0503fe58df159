"""What ``agentgate.probe`` does: one tool, probed by the session's rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..contract.observation import ToolResult
from ..errors import TargetError, nearest
from ..grading.finding import Finding
from ..grading.grader import Grades
from .judging import Judging

DOCS = "docs/reference/fixture.md#probe"


def probed(
    judging: Judging,
    fixture: Callable[[str], Any],
    name: str,
    arguments: Mapping[str, Any] | None,
) -> list[Finding]:
    """Probe a tool and count its results as the test's; return what was found.

    Args:
        judging: the rules of the session, in this test.
        fixture: returns a fixture's value by name.
        name: the tool's name.
        arguments: one call instead of all.

    Raises:
        TargetError: the tool cannot be probed.
    """
    from ..live.probe import Chosen, probe

    __tracebackhide__ = True
    env, evidence = judging.environment, judging.evidence
    contract, call = env.contracts.get(name), fixture("agentgate_tools")
    if contract is None or call is None:
        raise _unknown(name, sorted(env.contracts), call)

    def counted(tool: str, result: ToolResult, grades: Grades) -> None:
        evidence.add(tool, result.observation, None, grades)

    made = probe(
        contract,
        call,
        env.bench(only=judging.only, counted=counted),
        env.policy.probe,
        state=env.state,
        timeout=env.policy.tools.server.timeout_seconds,
        chosen=Chosen(arguments=arguments),
    )
    if not made.calls:
        raise TargetError(
            f"{name} was not probed",
            expected="a tool that only reads, or one that the policy allows",
            seen="; ".join(made.notes),
            way_out="declare its side-effect class, or mend what is said above",
            docs=DOCS,
        )
    return [env.accept(finding) for finding in made.findings]


def _unknown(name: str, known: list[str], call: Any) -> TargetError:
    if call is None:
        return TargetError(
            "agentgate.probe has no tools to call",
            expected="tools.call in the policy, or a fixture agentgate_tools",
            seen="neither",
            way_out="write 'tools: {call: your.module:execute_tool}' into "
            "agentgate.yaml, or override the fixture agentgate_tools",
            docs=DOCS,
        )
    return TargetError(
        f"agentgate.probe knows no tool {name!r}",
        expected="a tool of the catalogue, or of the contracts file",
        seen=repr(name),
        way_out=nearest(name, known) if known else "name tools.catalogue in the policy",
        docs=DOCS,
    )

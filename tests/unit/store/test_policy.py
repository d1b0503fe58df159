"""The policy file: what it may say, and what is said when it says something else."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import jsonschema
import pytest

from pytest_agentgate.errors import PolicyError
from pytest_agentgate.gate.terms import GateTerms
from pytest_agentgate.store.policy import Policy, find_policy, load_policy
from pytest_agentgate.store.policy_schema import SCHEMA_FILE, policy_schema, schema_text

FULL = """\
# agentgate.yaml
version: 1
target: {id: kb-agent, version: git, call: "agent.agent:ask"}
tools:
  call: agent.tools:execute_tool
  catalogue: agent.tools:TOOLS
  contracts: contracts.yaml
observation:
  status: {from: ok, when: {"true": success, "false": error}}
  summary: [error.message, message]
  payload: data
  next_actions: error.hint
rules:
  profile: adopt
  ignore: [envelope.lean]
  severity: {contract.version: error}
  tools: {search: {ignore: [context], severity: {envelope.source: warning}}}
  abstain: review
  extra: ["house.rules:NO_EMAILS"]
caps: {result_chars: 100000, chunks: 25}
gates:
  recovery:   {metric: pass^k, k: 3, threshold: 1.0}
  capability: {threshold: 0.8, trials: 5}
  slow:       {metric: pass@k, k: 2, severity: report}
health: {coverage: 0.9}
waivers: waivers.yaml
redaction: {keys: [badge], patterns: ["EMP-[0-9]{4}"]}
"""


@pytest.fixture
def policy_file(tmp_path: Path) -> Path:
    return tmp_path / "agentgate.yaml"


def refusal(path: Path, text: str) -> PolicyError:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    return caught.value


class TestLoading:
    def test_everything(self, policy_file: Path) -> None:
        policy_file.write_text(FULL)
        loaded = load_policy(policy_file)
        policy = loaded.policy
        assert policy.target.call == "agent.agent:ask"
        assert policy.tools.contracts == "contracts.yaml"
        assert policy.observation.summary is not None
        assert policy.observation.summary.paths == ("error.message", "message")
        assert policy.rules.tools["search"].severity == {"envelope.source": "warning"}
        assert policy.caps.chunks == 25
        assert policy.gates["capability"] == GateTerms(
            metric="pass@k", k=3, trials=5, threshold=0.8
        )
        assert policy.gates["slow"].trials == 2
        assert policy.health.coverage == 0.9
        assert policy.redaction.patterns == ("EMP-[0-9]{4}",)

    def test_where_it_is_from(
        self, policy_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        policy_file.write_bytes(FULL.encode())
        monkeypatch.chdir(policy_file.parent)
        loaded = load_policy(Path("agentgate.yaml"))
        assert loaded.path == policy_file
        assert loaded.folder == policy_file.parent
        assert loaded.text == FULL
        assert loaded.sha256 == hashlib.sha256(FULL.encode()).hexdigest()

    def test_the_least(self, policy_file: Path) -> None:
        policy_file.write_text("version: 1\n")
        assert load_policy(policy_file).policy == Policy()

    def test_plain_text_results(self, policy_file: Path) -> None:
        policy_file.write_text("version: 1\nobservation: text\n")
        assert load_policy(policy_file).policy.observation.text

    def test_gates_by_name(self, policy_file: Path) -> None:
        policy_file.write_text(FULL)
        gates = load_policy(policy_file).policy.known_gates()
        assert sorted(gates) == ["capability", "contract", "recovery", "slow"]
        assert gates["contract"].threshold == 1.0
        assert gates["capability"].threshold == 0.8

    def test_find(self, tmp_path: Path) -> None:
        assert find_policy(tmp_path) is None
        (tmp_path / "agentgate.yml").touch()
        assert find_policy(tmp_path) == tmp_path / "agentgate.yml"
        (tmp_path / "agentgate.yaml").touch()
        assert find_policy(tmp_path) == tmp_path / "agentgate.yaml"


class TestRefused:
    def test_a_misspelt_key(self, policy_file: Path) -> None:
        text = "version: 1\ngates:\n  recovery:\n    treshold: 0.9\n"
        assert str(refusal(policy_file, text)) == (
            "agentgate.yaml:4: unknown key 'treshold' in gates.recovery\n"
            "  expected: one of: confidence, k, metric, severity, threshold, trials\n"
            "  seen:     0.9\n"
            "  way out:  did you mean 'threshold'?\n"
            "  docs:     docs/reference/policy.md#gates"
        )

    @pytest.mark.parametrize("key", ["budgets", "drift", "judge"])
    def test_what_is_not_built_yet_is_unknown(
        self, policy_file: Path, key: str
    ) -> None:
        error = refusal(policy_file, f"version: 1\n{key}: {{}}\n")
        assert error.problem == f"agentgate.yaml:2: unknown key {key!r}"
        assert error.way_out == "remove it, or use one of these"
        assert error.expected.startswith("one of: caps, faults, gates, health")

    @pytest.mark.parametrize(
        ("text", "problem", "expected", "seen", "way_out"),
        [
            (
                "gates:\n  r: {metric: pass^5}",
                "3: gates.r.metric must be 'pass^k' or 'pass@k'",
                "'pass^k' or 'pass@k'",
                "'pass^5'",
                "did you mean 'pass^k'?",
            ),
            (
                "gates:\n  r:\n    k: 0",
                "4: gates.r.k must be at least 1",
                "at least 1",
                "0",
                "change gates.r.k",
            ),
            (
                "gates:\n  recovery: {trials: 2}",
                "3: gates.recovery.trials: "
                "2 trials cannot answer a question about k = 3",
                "trials of at least 3",
                "2",
                "change gates.recovery.trials",
            ),
            (
                "gates: {r: {threshold: 2}}",
                "2: gates.r.threshold must be at most 1",
                "at most 1",
                "2",
                "change gates.r.threshold",
            ),
            (
                "gates: {r: {threshold: .nan}}",
                "2: gates.r.threshold must be a number",
                "a number",
                "'.nan'",
                "change gates.r.threshold",
            ),
            (
                'gates: {r: {k: "3"}}',
                "2: gates.r.k must be a whole number",
                "a whole number",
                "'3'",
                "change gates.r.k",
            ),
            (
                "gates: {r: {k: true}}",
                "2: gates.r.k must be a whole number",
                "a whole number",
                "true",
                "change gates.r.k",
            ),
            (
                "gates: {r: {threshold: 1, confidence: 0.95}}",
                "2: gates.r.confidence: no number of tasks proves a threshold of 1.0",
                "a threshold below 1, or no confidence",
                "0.95",
                "change gates.r.confidence",
            ),
            (
                "gates:\n  a b: {}",
                "3: gates.a b: 'a b' is no name for a gate",
                "letters, digits, '_', '.', '-'",
                "'a b'",
                "change gates.a b",
            ),
            (
                "gates: [contract]",
                "2: gates must be a mapping",
                "a mapping",
                "['contract']",
                "change gates",
            ),
            (
                "gates:",
                "2: gates must be a mapping",
                "a mapping",
                "nothing",
                "change gates",
            ),
            (
                "target: {version: 1.10}",
                "2: target.version must be text",
                "text",
                "1.1",
                "quote it: '1.1'",
            ),
            (
                "rules:\n  ignore: envelope.lean",
                "3: rules.ignore must be a list",
                "a list",
                "'envelope.lean'",
                "change rules.ignore",
            ),
            (
                "rules:\n  tools:\n    t:\n      severity: {a.b: eror}",
                "5: rules.tools.t.severity.a.b must be 'error', 'review' or 'warning'",
                "'error', 'review' or 'warning'",
                "'eror'",
                "did you mean 'error'?",
            ),
            (
                "rules: {profile: 3}",
                "2: rules.profile must be 'adopt' or 'strict'",
                "'adopt' or 'strict'",
                "3",
                "remove it, or use one of these",
            ),
            (
                "caps: {chunks: 0}",
                "2: caps.chunks must be more than 0",
                "more than 0",
                "0",
                "change caps.chunks",
            ),
            (
                "health: {coverage: 95}",
                "2: health.coverage must be at most 1",
                "at most 1",
                "95",
                "change health.coverage",
            ),
            (
                "observation:\n  status: {from: ok, when: {true: succes}}",
                "3: observation.status.when.true must be "
                "'success', 'warning' or 'error'",
                "'success', 'warning' or 'error'",
                "'succes'",
                "did you mean 'success'?",
            ),
            (
                "redaction:\n  patterns:\n  - ok\n  - (a+)+",
                "5: redaction.patterns[1] cannot be used: it repeats a repetition, "
                "such as (a+)+",
                "a regular expression",
                "'(a+)+'",
                "write a simpler pattern",
            ),
        ],
    )
    def test_wrong_values(
        self,
        policy_file: Path,
        text: str,
        problem: str,
        expected: str,
        seen: str,
        way_out: str,
    ) -> None:
        error = refusal(policy_file, f"version: 1\n{text}\n")
        assert error.problem == f"agentgate.yaml:{problem}"
        assert (error.expected, error.seen, error.way_out) == (expected, seen, way_out)
        anchor = text.partition(":")[0]
        assert error.docs == f"docs/reference/policy.md#{anchor}"

    @pytest.mark.parametrize("version", ["2", "true", "1.0", '"1"', "null"])
    def test_other_formats(self, policy_file: Path, version: str) -> None:
        error = refusal(policy_file, f"version: {version}\n")
        assert error.problem == "agentgate.yaml:1: version must be 1"

    def test_no_version(self, policy_file: Path) -> None:
        error = refusal(policy_file, "gates: {}\n")
        assert error.problem == "agentgate.yaml:1: key 'version' is missing"
        assert error.way_out == "add 'version: 1'"
        error = refusal(policy_file, "verson: 1\n")
        assert error.problem == "agentgate.yaml:1: unknown key 'verson'"

    def test_an_unknown_field_of_ours(self, policy_file: Path) -> None:
        error = refusal(policy_file, "version: 1\nobservation:\n  sumary: x\n")
        assert error.problem.startswith("agentgate.yaml:")
        assert "'sumary'" in error.problem
        assert "did you mean 'summary'?" in str(error)

    def test_several_at_once_are_counted(self, policy_file: Path) -> None:
        text = "version: 1\ncaps: {chunks: 0}\ngates: {r: {k: 0}}\nfoo: 1\n"
        error = refusal(policy_file, text)
        assert error.problem == (
            "agentgate.yaml:2: caps.chunks must be more than 0 (and 2 more problems)"
        )

    def test_a_secret_is_not_repeated(self, policy_file: Path) -> None:
        secret = "ghp_" + "a1B2" * 9
        error = refusal(policy_file, f"version: 1\ntokn: {secret}\n")
        assert error.seen == "'[REDACTED:git-token]'"

    def test_no_file(self, policy_file: Path) -> None:
        with pytest.raises(PolicyError) as caught:
            load_policy(policy_file)
        assert caught.value.problem == f"{policy_file} does not exist"


class TestSchema:
    def test_the_published_one_is_current(self) -> None:
        assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), (
            "run python -m pytest_agentgate.store.policy_schema"
        )

    def test_it_takes_what_the_loader_takes(self, policy_file: Path) -> None:
        from pytest_agentgate.store.yaml_reader import parse_document

        jsonschema.Draft202012Validator.check_schema(policy_schema())
        check = jsonschema.Draft202012Validator(policy_schema())
        assert check.is_valid(parse_document(FULL, "p").data)
        for good in ({"version": 1}, {"version": 1, "observation": "text"}):
            assert check.is_valid(good)
        for bad in (
            {},
            {"version": 2},
            {"version": 1, "drift": {}},
            {"version": 1, "observation": "txt"},
            {"version": 1, "gates": {"r": {"treshold": 1}}},
        ):
            assert not check.is_valid(bad)
            assert refusal(policy_file, json.dumps(bad) if bad else "{}")

    def test_every_key_is_described(self) -> None:
        schema = policy_schema()
        models = [schema] + [
            model
            for name, model in schema["$defs"].items()
            if name not in ("Lookup", "ObservationMapping")
        ]
        for model in models:
            assert model["description"]
            for name, field in model["properties"].items():
                assert field.get("description") or "anyOf" in field, (model, name)

"""The YAML that is read, the YAML that is refused, and where things stand."""

from __future__ import annotations

import contextlib
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_agentgate.errors import PolicyError
from pytest_agentgate.store import yaml_reader
from pytest_agentgate.store.yaml_reader import parse_document, read_document

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def refusal(text: str) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        parse_document(text, "p.yaml")
    assert caught.value.docs == "docs/reference/policy.md#yaml"
    assert caught.value.expected
    assert caught.value.way_out
    return caught.value


def _escaped(char: str) -> str:
    return f"\\U{ord(char):08x}"


class TestValues:
    @pytest.mark.parametrize(
        ("plain", "value"),
        [
            *(
                ("true", True),
                ("False", False),
                ("null", None),
                ("~", None),
                ("", None),
            ),
            *(
                ("3", 3),
                ("-3", -3),
                ("+3", 3),
                ("0", 0),
                ("0.90", 0.9),
                ("1e3", 1000.0),
            ),
            *((".5", 0.5), ("1.", 1.0), ("-1.5E-2", -0.015), ("1.10", 1.1)),
        ],
    )
    def test_typed(self, plain: str, value: Any) -> None:
        read = parse_document(f"a: {plain}", "p").data["a"]
        assert read == value
        assert type(read) is type(value)

    @pytest.mark.parametrize(
        "text",
        [
            *("no", "on", "yes", "off", "1_000", "12:30:45", "017", "0x1F", "0o17"),
            *("2026-01-31", ".inf", ".nan", "=", "1.2.3", "1e", "-x", "TruE", "08.5"),
        ],
    )
    def test_text(self, text: str) -> None:
        assert parse_document(f"a: {text}", "p").data == {"a": text}

    @pytest.mark.parametrize("quoted", ['"3"', "'true'", '"&x"', "'*x'", '"<<"'])
    def test_quoted_is_text(self, quoted: str) -> None:
        assert parse_document(f"a: {quoted}", "p").data == {"a": quoted[1:-1]}

    def test_keys_are_text(self) -> None:
        data = parse_document("{true: 1, 200: 2, 1.10: 3, ~: 4}", "p").data
        assert data == {"true": 1, "200": 2, "1.10": 3, "~": 4}

    def test_lines(self) -> None:
        document = parse_document(
            "a: 1\nb:\n  c: {d: 1,\n    e: 2}\n  f:\n  - x\n", "p"
        )
        assert document.line(("b", "c", "e")) == 4
        assert document.line(("b", "f", 0)) == 6
        assert document.line(("b", "f", 7, "q")) == 5
        assert document.line(("nowhere",)) == 1

    @given(
        st.dictionaries(
            WORDS,
            st.recursive(
                st.none() | st.booleans() | st.integers(-(10**30), 10**30) | WORDS,
                lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner),
                max_leaves=10,
            ),
            min_size=1,
        )
    )
    def test_json_is_read_as_json(self, data: dict[str, Any]) -> None:
        text = json.dumps(data, ensure_ascii=False)
        # JSON writes DEL and C1 controls raw, which YAML does not take.
        text = re.sub(r"[^\x20-\x7e]", lambda m: _escaped(m[0]), text)
        assert parse_document(text, "p").data == data

    @given(st.text(max_size=80))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        with contextlib.suppress(PolicyError):
            assert isinstance(parse_document(text, "p").data, dict)


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "problem", "seen"),
        [
            ("a: 1\nb: &x 2", "p.yaml:2: an anchor or alias", "&x"),
            ("a: *x", "p.yaml:1: an anchor or alias", "*x"),
            ("\na: !!set {}", "p.yaml:2: a tag", "tag:yaml.org,2002:set"),
            ("a: !own x", "p.yaml:1: a tag", "!own"),
            ("a: {<<: {b: 1}}", "p.yaml:1: a merge key", "<<"),
            ("a: 1\n---\nb: 2", "p.yaml:2: a second document", "'---'"),
            (
                "%YAML 1.1\n---\na: 1",
                "p.yaml:1: a YAML directive",
                "a line starting wi",
            ),
            ("", "p.yaml:1: the file is empty", "nothing"),
            ("# only words\n", "p.yaml:1: the file is empty", "nothing"),
            ("~", "p.yaml:1: the file is empty", "nothing"),
            ("\n- a", "p.yaml:2: the file is not a mapping", "a list"),
            ("hello", "p.yaml:1: the file is not a mapping", "'hello'"),
            ("? [a]\n: b", "p.yaml:1: a key that is not text", "a list or mapping"),
            ("a: 1e999", "p.yaml:1: a number out of range", "1e999..."),
            ("a: " + "9" * 5000, "p.yaml:1: a number out of range", "9999"),
            ("a:\n\t- b", "p.yaml:2: not YAML", "'- b'"),
            ("a: b\n  c: d", "p.yaml:2: not YAML", "'c: d'"),
            ("a: b\0c", "p.yaml:1: not YAML", r"'a: b\x00c'"),
            ("x\n\n\x1b: 1", "p.yaml:3: not YAML", r"'\x1b: 1'"),
        ],
    )
    def test_with_line(self, text: str, problem: str, seen: str) -> None:
        error = refusal(text)
        assert error.problem.startswith(problem)
        assert error.seen.startswith(seen)

    def test_a_key_twice_names_both_lines(self) -> None:
        error = refusal("g:\n  a: 1\n  b: 2\n  a: 3\n")
        assert str(error) == (
            "p.yaml:4: key 'a' is given twice\n"
            "  expected: every key once\n"
            "  seen:     first on line 2, again on line 4\n"
            "  way out:  remove one of them\n"
            "  docs:     docs/reference/policy.md#yaml"
        )

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("a: " + "[" * 5000, "exceeded maximum nesting depth|nested too deep"),
            ("{a: " * 5000, "nested too deep"),
            (
                "\n".join(" " * i + "a:" for i in range(500)),
                "p.yaml:50: nested too deep",
            ),
            ("- " * 5000, "nested too deep"),
            ("a: [" + "x, " * 60_000 + "]", "too many entries"),
            ("a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "an anchor or alias"),
            ("a: " + "x " * 450_000 + "\n- ", "not YAML"),
            ("[] " * 300_000, "not YAML"),
        ],
    )
    def test_bombs_in_bounded_time(self, text: str, problem: str) -> None:
        start = time.perf_counter()
        with pytest.raises(PolicyError, match=problem):
            parse_document(text, "p.yaml")
        assert time.perf_counter() - start < 1

    def test_the_edge_of_depth(self) -> None:
        inside = yaml_reader.MAX_DEPTH - 1
        assert parse_document("a: " + "[" * inside + "]" * inside, "p").data
        refusal("a: " + "[" * (inside + 1) + "]" * (inside + 1))


class TestFiles:
    def test_read(self, tmp_path: Path) -> None:
        path = tmp_path / "p.yaml"
        path.write_bytes(b"\xef\xbb\xbfa: \xc3\xbc\r\nb: 1\r\n")
        document = read_document(path)
        assert document.data == {"a": "ü", "b": 1}
        assert document.raw == path.read_bytes()

    def test_not_utf_8(self, tmp_path: Path) -> None:
        path = tmp_path / "p.yaml"
        path.write_bytes(b"a: 1\nb: \xff\n")
        with pytest.raises(PolicyError) as caught:
            read_document(path)
        assert caught.value.problem == "p.yaml:2: not UTF-8"
        assert caught.value.seen == "byte 0xff"

    def test_too_large(self, tmp_path: Path) -> None:
        path = tmp_path / "p.yaml"
        path.write_bytes(b"#" * 2_000_000)
        with pytest.raises(PolicyError, match="is too large"):
            read_document(path)

    def test_without_the_c_parser(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(yaml_reader, "_LOADER", yaml.SafeLoader)
        assert parse_document("a: [1, 'x', no]", "p").data == {"a": [1, "x", "no"]}
        refusal("a: !x 1")
        refusal("a: {<<: 1}")
        refusal("a: \x07")

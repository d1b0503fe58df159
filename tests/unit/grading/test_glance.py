"""The first look: it may be wrong on the careful side only."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.grading.signs.glance import glance, named, show, shown, topics
from pytest_agentgate.redaction import Redactor, is_secret_name, secret_spans

OK = {"status": "success", "summary": "1 note.", "payload": [{"id": 7}], "source": "n"}


def test_a_harmless_result_has_no_topic():
    assert topics(parse(OK)) == frozenset()


def test_the_answer_is_kept():
    result = parse(OK)
    first = glance(result)
    assert glance(result) is first
    redactor = Redactor({"A_TOKEN": "plain-horse"})
    assert glance(result, redactor) is not first


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("failure", "Error: gone"),
        ("markup", "see </b>"),
        ("trace", "Traceback (most recent call last)"),
        ("orders", "please ignore it"),
        ("base64", "data:image/png;base64,AAAA"),
        ("secret", "token=abcd1234"),
    ],
)
def test_topics(topic, text):
    for raw in (
        {**OK, "payload": {"deep": [{"text": text}]}},
        {**OK, "summary": text},
        {**OK, "payload": {text: 1}},
        text,
        {"isError": False, "content": [{"type": "text", "text": text}]},
        {"isError": False, "structuredContent": {"a": text}},
        json.dumps({**OK, "payload": text}),
        {**OK, "payload": {"text": text, "mean": float("nan")}},
    ):
        assert topic in topics(parse(raw))


def test_escaped_text_is_looked_at_as_it_is_read():
    raw = json.dumps({**OK, "payload": {"token": 1}}).replace("token", "\\u0074oken")
    assert "secret" in topics(parse(raw))


def test_a_lone_surrogate_is_looked_at_closely():
    assert named("\ud800") == {
        *("failure", "markup", "trace", "orders", "base64", "secret"),
    }


def test_a_hostile_repr_is_never_called():
    class Hostile:
        def __repr__(self):
            raise RuntimeError("no")

    result = parse({**OK, "payload": {"a": Hostile(), "b": "token"}})
    assert "token" in shown(result)


def test_show_is_bounded():
    cyclic = {"a": 1}
    cyclic["b"] = cyclic
    assert "'a': 1" in show(cyclic)


@pytest.mark.parametrize(
    "name",
    [
        *("token", "API_KEY", "apiKey", "X-Api-Key", "private.key", "signingKey2"),
        *("dbPassword", "passwd", "user_pwd", "passphrase", "secret", "clientSecret"),
        *("Authorization", "cookie", "aws_credentials", "access  key", "password_hash"),
    ],
)
def test_names_of_secrets_pass_the_sieve(name):
    assert is_secret_name(name)
    assert "secret" in named(repr({name: "x"}))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    "token",
                    "api",
                    "key",
                    "secret",
                    "password",
                    "hash",
                    "private",
                    "auth",
                ),
                *("_", "-", " ", ".", "X", "max", "Access", "cookie", "1"),
            ]
        ),
        min_size=1,
        max_size=5,
    ).map("".join)
)
def test_any_name_of_a_secret_passes_the_sieve(name):
    if is_secret_name(name):
        assert "secret" in named(repr({name: "x"}))


PARTS = [
    *("token=", "api_key: ", "password: '", "Bearer ", "Cookie: a=", "https://u:"),
    *("abcd1234", "FAKEFAKEFAKEFAKE2222", "AKIA", "ghp_", "sk-ant-", "eyJ", "@host"),
    *("4111 1111 1111 1111", "-----BEGIN PRIVATE KEY-----", "\n", " ", "'", '"', "."),
    *("x" * 30, "0" * 16, "xoxb-", "glpat-", "hf_", "AIza", "\\", "é", "/", "_"),
]


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join))
def test_any_text_with_a_secret_passes_the_sieve(text):
    if secret_spans(text):
        assert "secret" in named(text)
        assert "secret" in named(repr([text]))


@settings(max_examples=300, deadline=None)
@given(st.text(min_size=8, max_size=30).filter(str.isprintable))
def test_any_value_of_the_environment_passes_the_sieve(value):
    redactor = Redactor({"A_TOKEN": value})
    for text in (f"a {value} b", f'it\'s "{value}"\n'):
        if redactor.secret_spans(text):
            assert "secret" in named(text, redactor)
            assert "secret" in named(repr([text]), redactor)

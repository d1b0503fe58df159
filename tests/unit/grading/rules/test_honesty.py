"""Family honesty: at least twelve inputs a rule, a third of them good."""

from __future__ import annotations

import json
import time

import pytest

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.mapping import ObservationMapping
from pytest_agentgate.contract.tool import ToolContract
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.rules import honesty

RULES = {entry.id.partition(".")[2]: entry for entry in honesty.RULES}
TEXT = ObservationMapping.model_validate("text")
OWN = ObservationMapping()
READ = ToolContract(name="list_builds", side_effect="read_only")
WRITE = ToolContract(name="archive_mail", side_effect="reversible_mutation")


def ok(payload=None, summary="12 rows read.", **fields):
    base = {"status": "success", "summary": summary, "payload": payload}
    return {**base, "source": "db:orders, rows 1-12", **fields}


def error(summary, **fields):
    return {"status": "error", "summary": summary, **fields}


def mcp(text, flag=False, **fields):
    content = [{"type": "text", "text": text}]
    return {"isError": flag, "content": content, **fields}


def answer(rule, raw, mapping=OWN, **context):
    said = RULES[rule].check(parse(raw, mapping), Context(**context))
    if said is None:
        return []
    return list(said) if isinstance(said, list | tuple) else [said]


def test_rules_stand_in_catalogue_order():
    assert [entry.id for entry in honesty.RULES] == [
        f"honesty.{name}"
        for name in (
            *("status", "protocol-flag", "partial", "empty-scope", "empty-error"),
            "truncation",
        )
    ]


@pytest.mark.parametrize("entry", honesty.RULES, ids=lambda entry: entry.id)
def test_examples(entry):
    name = entry.id.partition(".")[2]
    for example, fails in ((entry.bad, True), (entry.good, False)):
        found = answer(name, example.subject, **example.context)
        assert [one.verdict for one in found] == (["fail"] if fails else [])


@pytest.mark.parametrize("entry", honesty.RULES, ids=lambda entry: entry.id)
def test_page_is_complete(entry):
    assert entry.why
    assert entry.way_out
    assert entry.fails_when


BAD_STATUS = {
    "ok is false": ok({"ok": False}),
    "ok is false, with a code": ok({"ok": False, "code": "E_QUOTA", "rows": []}),
    "success is false, with a reason": ok(
        {"success": False, "file": "a.csv", "error": "disk full"}, "Upload done."
    ),
    "nothing but an error": ok(
        {"data": None, "error": {"code": 500, "message": "x y"}}
    ),
    "GraphQL errors and no data": ok({"data": None, "errors": [{"message": "denied"}]}),
    "a protocol result inside": ok({"result": {"isError": True, "content": []}}),
    "a wrapped refusal": ok({"response": {"ok": False, "error": "no such channel"}}),
    "the envelope's own error": ok([1], error={"message": "timed out after 30 s"}),
    "error field as text": ok([1], error="upstream refused"),
    "a summary that is an error": ok({}, "Failed to open the ledger."),
    "a German summary": ok({}, "Fehler beim Lesen der Tabelle: Zugriff verweigert"),
    "a Japanese summary": ok({}, "エラー: 接続できませんでした"),
    "an inner status with a reason": ok(
        {"status": "failed", "message": "no route"}, "Sent."
    ),
    "a body with its status": ok({"status_code": 503, "body": "try later"}, "Fetched."),
    "an exit code and no output": ok(
        {"exit_code": 2, "stdout": "", "stderr": "tar: no space"}, "Ran tar."
    ),
    "cut off by length": ok({"text": "So the", "finish_reason": "length"}, "Drafted."),
    "cut off by steps": ok({"answer": "n/a?", "stop_reason": "max_turns"}, "Answered."),
    "timed out inside": ok({"rows": [1], "timed_out": True}, "Query ran."),
    "payload is an error sentence": ok("Error: link down, try again", "Quote."),
    "payload is a class of error": ok({"result": "ConnectionError: refused"}, "Quote."),
    "an error page as payload": ok(
        "<html><title>503 Service Unavailable</title></html>", "Page."
    ),
    "MCP text": mcp("Error: only SELECT is allowed here"),
    "MCP text with a kind": mcp("Database error: no such table: staff"),
    "MCP status line": mcp("HTTP 502 Bad Gateway"),
    "MCP error page": mcp(
        "<html><head><title>504 Gateway Time-out</title></head></html>"
    ),
    "LangChain message": {
        "type": "tool",
        "tool_call_id": "t1",
        "content": "ValueError('no such symbol') Please fix it.",
        "status": "success",
    },
    "MCP structured": {"isError": False, "structuredContent": {"ok": False}},
    "structured text": {
        "isError": False,
        "structuredContent": {"result": "Error executing tool: key expired"},
    },
}


@pytest.mark.parametrize("name", BAD_STATUS)
def test_status_is_contradicted(name):
    (said,) = answer("status", BAD_STATUS[name])
    assert said.message.startswith("success, but")


GOOD_STATUS = {
    "null error": ok({"ok": True, "error": None, "failed": 0, "errors": []}),
    "zero and false": ok({"errors": 0, "retry": False, "exit_code": 0}),
    "message ok": ok({"error": {"code": 0, "message": "OK"}, "rows": [1]}),
    "a message that all is well": ok({"error": {"code": 0, "message": "OK"}}, "Ping."),
    "a failed build": ok({"id": 88, "state": "failed", "error": "OOM"}, "Build read."),
    "a job's status": ok({"status": "failed", "id": 4, "message": "OOM"}, "Job 4."),
    "a log": ok("ERROR disk full\nERROR disk full\n", "Log read."),
    "one log line": ok("Error: disk full", "Last line of app.log."),
    "a mail about an error": ok("Error: your order is late", "Mail 7 read."),
    "an article": ok({"text": "Error handling in Rust uses Result."}, "Page read."),
    "failures this week": ok([], "0 of 12 builds failed this week."),
    "nothing could be found": ok([], "Could not find a note tagged 'air'."),
    "a link check": ok({"url": "http://a.example/x", "status_code": 404}, "Checked."),
    "a health check": ok({"service": "index", "ok": False}, "1 of 3 services down."),
    "a list of failed jobs": ok([{"id": 1, "status": "error", "error": "OOM"}]),
    "a run that ended": ok({"text": "Done.", "finish_reason": "stop"}),
    "a killed process": ok({"pid": 44, "killed": True}, "Process 44 ended."),
    "a cancelled order": ok({"order": 7, "cancelled": True}, "Order 7 cancelled."),
    "an error that is one": error("Error: link down"),
    "a warning": {"status": "warning", "summary": "Error: link down, cache used."},
    "MCP error": mcp("Error: link down", flag=True),
    "MCP text": mcp("Created branch 'errors' from 'master'"),
    "MCP text on errors": mcp("3 errors were logged this week."),
    "no claim": "Error: link down",
    "MCP page": mcp("<html><head><title>Opening hours</title></head></html>"),
    "a page about 404": mcp("How to design a 404 page: keep it short."),
    "an errand": ok({"text": "timeout settings: 30 s"}, "Settings."),
}


@pytest.mark.parametrize("name", GOOD_STATUS)
def test_status_is_true(name):
    assert answer("status", GOOD_STATUS[name]) == []


@pytest.mark.parametrize(
    ("transport", "what"),
    [
        ({"http_status": 500}, "the transport answered 500"),
        ({"http_status": "429"}, "the transport answered 429"),
        ({"response": {"status_code": 502}}, "the transport answered 502"),
        ({"status": 403}, "the transport answered 403"),
        ({"timed_out": True}, "the call timed out"),
        ({"error": "connection reset"}, "the transport failed"),
        ({"exit_code": 137}, "the process ended with 137"),
        ({"finish_reason": "length"}, "the run was cut off: finish_reason is length"),
        (
            {"stop_reason": "max_tokens"},
            "the run was cut off: stop_reason is max_tokens",
        ),
        ({"outcome": "failed"}, "the transport failed"),
    ],
)
def test_transport_failed(transport, what):
    (said,) = answer("status", ok([1]), transport=transport)
    assert said.message == f"success, but {what}"


@pytest.mark.parametrize(
    "transport",
    [
        {"http_status": 200, "error": None, "timed_out": False, "exit_code": 0},
        {"http_status": 304},
        {"http_status": 204, "rows": 0},
        {"error": "", "finish_reason": "stop"},
        {"attempts": [{"http_status": 503}, {"http_status": 200}]},
        {},
    ],
)
def test_transport_worked(transport):
    assert answer("status", ok([1]), transport=transport) == []


def test_a_missing_record_may_be_an_answer():
    found = ok([], "No user 7 in db:users.")
    assert answer("status", found, transport={"http_status": 404}) == []
    assert answer("status", ok([1]), transport={"http_status": 404}) != []


def test_an_error_that_delivered_all_is_undue():
    raw = error("3 rows.", payload=[1, 2, 3])
    (said,) = answer("status", raw, transport={"http_status": 200, "rows": 3})
    assert said.message == (
        "error, but the transport succeeded and 3 rows were delivered"
    )
    assert answer("status", raw, transport={"http_status": 500, "rows": 3}) == []


FLAG_BAD = {
    "error as false": {"isError": False, "structuredContent": error("Gone.")},
    "success as true": {"isError": True, "structuredContent": ok([1])},
    "JSON text": mcp(json.dumps(error("Gone."))),
    "JSON text, true": mcp(json.dumps(ok([1])), flag=True),
    "anthropic": {
        "type": "tool_result",
        "tool_use_id": "a",
        "content": json.dumps(error("Gone.")),
        "is_error": False,
    },
    "langchain": {
        "type": "tool",
        "tool_call_id": "a",
        "content": json.dumps(error("Gone.")),
        "status": "success",
    },
    "labelled": mcp("status: error\nsummary: Gone.\n"),
    "a word": {"isError": "true", "content": [], "structuredContent": error("Gone.")},
    "a number": {"isError": 1, "content": [], "structuredContent": ok([1])},
}
FLAG_GOOD = {
    "error as true": {"isError": True, "structuredContent": error("Gone.")},
    "success as false": {"isError": False, "structuredContent": ok([])},
    "not given": {"content": [], "structuredContent": error("Gone.")},
    "null": {"isError": None, "content": [], "structuredContent": ok([1])},
    "a warning, false": mcp('{"status": "warning", "summary": "Stale."}'),
    "a warning, true": mcp('{"status": "warning", "summary": "Stale."}', flag=True),
    "plain text": mcp("Created."),
    "plain error": mcp("Error: gone", flag=True),
    "no protocol": error("Gone."),
}


@pytest.mark.parametrize("name", FLAG_BAD)
def test_flag_disagrees(name):
    (said,) = answer("protocol-flag", FLAG_BAD[name])
    assert said.message.startswith("the protocol's error flag is")


@pytest.mark.parametrize("name", FLAG_GOOD)
def test_flag_agrees(name):
    assert answer("protocol-flag", FLAG_GOOD[name]) == []


def test_flag_says_both_sides():
    (said,) = answer("protocol-flag", FLAG_BAD["error as false"])
    assert said.message == "the protocol's error flag is false, the status is error"
    assert said.expected == "isError true"


BAD_PARTIAL = {
    "counts": ok({"done": 3, "failures": 47}, "Archive finished."),
    "lists": ok({"sent": ["a"], "failed": ["b", "c"]}, "Mails sent."),
    "spelt with counts": ok({"success_count": 8, "error_count": 2}, "Imported."),
    "camel case": ok({"uploadedFiles": 8, "failedFiles": 2}, "Uploaded."),
    "a word for not": ok({"saved": 8, "notSaved": 2}, "Saved."),
    "under a heading": ok({"summary": {"created": 4, "rejected": 1}}, "Rows created."),
    "as text": ok({"processed": "10", "failed": "2"}, "Processed."),
    "flags of items": ok(
        {"results": [{"id": 1, "ok": True}, {"id": 2, "ok": False, "error": "x y"}]},
        "Batch finished.",
    ),
    "errors of items": ok(
        {"items": [{"id": 1, "url": "u1"}, {"id": 2, "error": "HTTP 404"}]},
        "Pages fetched.",
    ),
    "pages that lack their text": ok(
        {"pages": [{"url": "u", "text": "x"}, {"url": "v", "error": "HTTP 404"}]},
        "2 pages.",
    ),
    "a bare list": ok(
        [{"id": 1, "success": True}, {"id": 2, "success": False}], "Sent."
    ),
    "statuses of items": ok(
        {"results": [{"id": 1, "status": "ok"}, {"id": 2, "status": "failed"}]},
        "Invites sent.",
    ),
    "GraphQL": ok({"data": {"user": 7}, "errors": [{"message": "no avatar"}]}, "User."),
    "beside the payload": ok([{"id": 1}], "Rows.", errors=["row 7: bad date"]),
    "in words": ok({"charts": 39}, "39 of 40 charts drawn; sheet 12 failed."),
    "in Spanish": ok({"n": 8}, "8 de 10 fichas guardadas; 2 fallaron."),
    "failures by id": ok({"moved": 3, "failures": {"m-1": "locked"}}, "Files moved."),
    "MCP": {"isError": False, "structuredContent": {"deleted": 3, "failed": 2}},
}


@pytest.mark.parametrize("name", BAD_PARTIAL)
def test_partial_is_hidden(name):
    (said,) = answer("partial", BAD_PARTIAL[name])
    assert said.message == "some items failed, and the status is success"


GOOD_PARTIAL = {
    "none failed": ok({"done": 50, "failed": 0, "errors": []}, "Archive finished."),
    "none failed, in words": ok({"done": 50}, "50 of 50 sent, no failures."),
    "null": ok({"sent": 3, "failures": None, "errors": {}}, "Sent."),
    "a warning": {"status": "warning", "summary": "39 of 40 drawn; 1 failed."},
    "tests": ok({"passed": 97, "failed": 3, "total": 100}, "Test run 7 read."),
    "counts of tests": ok({"passed": 97, "failed": 3, "completed": 100}, "Nightly."),
    "a queue": ok({"total": 900, "failed": 4}, "Queue stats."),
    "jobs": ok({"jobs": [{"id": 1, "state": "failed", "error": "OOM"}]}, "3 jobs."),
    "builds": ok(
        [{"id": 1, "status": "failed"}, {"id": 2, "status": "ok"}], "2 builds."
    ),
    "an error rate": ok({"error_rate": 0.02, "requests": 900}, "Metrics."),
    "logged errors": ok({"errors": ["disk full"], "window": "1h"}, "Logs of 1 h."),
    "skipped": ok({"saved": 8, "skipped": 2}, "8 saved, 2 were there already."),
    "a share": ok({"rows": [1]}, "25 of 212 rows shown."),
    "an article": ok({"text": "3 of 10 rockets failed."}, "Page read."),
    "orders": ok({"orders": [{"id": 1, "status": "rejected"}]}, "1 order."),
}


@pytest.mark.parametrize("name", GOOD_PARTIAL)
def test_partial_is_not_claimed(name):
    assert answer("partial", GOOD_PARTIAL[name]) == []


def test_what_a_reader_counts_is_data():
    raw = ok({"processed": 40, "failed": 7}, "Nightly run.")
    assert answer("partial", raw, contract=READ) == []
    assert answer("partial", raw, tool="get_run") == []
    assert answer("partial", raw, contract=WRITE) != []
    fetched = ok({"fetched": 7, "failed": 3}, "Pages.")
    assert answer("partial", fetched, contract=READ) != []


def test_partial_names_the_place():
    (said,) = answer("partial", BAD_PARTIAL["counts"])
    assert (said.path, said.seen) == ("/payload/failures", "failures: 47")


BAD_SCOPE = {
    "no results": ok([], "No results.", source="kb"),
    "zero rows": ok({"rows": []}, "0 rows.", source="db"),
    "nothing": ok([], "Nothing found.", source="index"),
    "found none": ok({"items": [], "total": 0}, "No matching items were found."),
    "done": ok([], "Query executed successfully.", source="sql"),
    "German": ok([], "Keine Ergebnisse gefunden.", source="kb"),
    "Spanish": ok([], "No se encontraron resultados.", source="kb"),
    "Japanese": ok([], "該当なし", source="kb"),
    "empty text": ok("", "Empty result.", source="kb"),
    "an empty mapping": ok({}, "Search completed.", source="kb"),
}
BAD_SCOPE["found none"]["source"] = "kb"
GOOD_SCOPE = {
    "scanned": ok({"rows": [], "scanned": 4210}, "0 rows.", source="kb"),
    "a filter": ok([], "0 of 4,210 rows match dept='R&D'.", source="kb"),
    "a quoted word": ok([], "No notes for 'zzz'.", source="kb"),
    "ids": ok([], "No items for ids 7, 9.", source="kb"),
    "a located source": ok([], "No results.", source="notes-api /notes?tag=air"),
    "a source in parts": ok([], "0 rows.", source={"db": "sales", "table": "orders"}),
    "the query": ok({"hits": [], "query": "air"}, "0 hits.", source="kb"),
    "not empty": ok([0], "1 row."),
    "zero": ok(0, "The count."),
    "false": ok(False, "No."),
    "an error": error("No results."),
    "French": ok([], "Aucune note avec l'étiquette air.", source="kb"),
    "Japanese": ok([], "タグ「air」のノートは0件です", source="kb"),
}


@pytest.mark.parametrize("name", BAD_SCOPE)
def test_scope_is_missing(name):
    (said,) = answer("empty-scope", BAD_SCOPE[name])
    assert said.message == "an empty result that does not say what was searched"


@pytest.mark.parametrize("name", GOOD_SCOPE)
def test_scope_is_told(name):
    assert answer("empty-scope", GOOD_SCOPE[name]) == []


def test_an_echoed_argument_is_scope():
    raw = ok([], "No results.", source="limits")
    assert answer("empty-scope", raw, arguments={"query": "limits"}) == []
    assert answer("empty-scope", raw) != []


@pytest.mark.parametrize(
    ("summary", "payload", "fires"),
    [
        ("Statement done, 0 rows.", {"rows": []}, True),
        ("OK.", [], True),
        ("Done.", {}, True),
        ("Query executed.", "", True),
        ("Statement done, 0 rows.", {"rows": [], "affected": 42}, False),
        ("Statement done.", {"rows": [], "rowcount": 0}, False),
        ("42 rows updated.", {"rows": []}, False),
        ("Nothing was changed: no order is in state 'open'.", [], False),
        ("3 Zeilen gelöscht.", [], False),
    ],
)
def test_a_write_tells_its_effect(summary, payload, fires):
    sql = {"sql": "UPDATE orders SET state='held' WHERE region='EU'"}
    said = answer("empty-scope", ok(payload, summary, source="db"), arguments=sql)
    assert bool(said) is fires
    if fires:
        assert "does not say what was changed" in said[0].message


def test_a_select_of_a_writing_tool_is_a_search():
    sql = {"sql": "SELECT * FROM orders WHERE region='EU'"}
    raw = ok({"rows": []}, "0 rows in region EU of orders.")
    assert answer("empty-scope", raw, arguments=sql, contract=WRITE) == []


EMPTY_ERROR_BAD = {
    "no results": error("No results found."),
    "an empty list": error("No matching notes.", payload=[]),
    "zero rows": error("The query returned 0 rows."),
    "empty rows": error("Query returned no rows.", payload={"rows": []}),
    "nothing": error("Nothing was found for 'zzz'."),
    "MCP": mcp("No results for 'zzz'", flag=True),
    "German": error("Keine Treffer für 'zzz'."),
    "French": error("Aucun résultat pour 'zzz'."),
    "Chinese": error("没有找到匹配的结果"),
}
EMPTY_ERROR_GOOD = {
    "a success": ok([], "No results found."),
    "a warning": {"status": "warning", "summary": "No KB results for 'zzz'."},
    "a missing file": error("No projects.yaml found."),
    "no endpoint": error("No endpoint is configured for 'notes-api'."),
    "an unknown id": error("User 7 was not found."),
    "a cause": error("No results: the index service refused the connection."),
    "a missing index": error("No results because the index is missing."),
    "a denial": error("No rows returned: permission denied on table staff."),
    "delivered": error("No results found.", payload=[1]),
    "MCP": mcp("Unknown table 'staff'", flag=True),
    "MCP success": mcp("No results for 'zzz'"),
}


@pytest.mark.parametrize("name", EMPTY_ERROR_BAD)
def test_an_empty_answer_is_no_error(name):
    (said,) = answer("empty-error", EMPTY_ERROR_BAD[name])
    assert said.message == "a valid empty result is presented as an error"


@pytest.mark.parametrize("name", EMPTY_ERROR_GOOD)
def test_an_error_is_one(name):
    assert answer("empty-error", EMPTY_ERROR_GOOD[name]) == []


@pytest.mark.parametrize(
    ("transport", "fires"),
    [
        ({"rows": 0, "http_status": 200}, True),
        ({"row_count": 0}, True),
        ({"results": [], "http_status": 200}, True),
        ({"http_status": 204}, True),
        ({"rows": 3, "http_status": 200}, False),
        ({"rows": 0, "http_status": 500}, False),
        ({"rows": 0, "error": "lost connection"}, False),
        ({"http_status": 200}, False),
    ],
)
def test_an_empty_record_is_no_error(transport, fires):
    raw = mcp("Error: tool gave no answer, perhaps it was stopped", flag=True)
    assert bool(answer("empty-error", raw, transport=transport)) is fires


LONG = "The quick brown fox jumps over the lazy dog and on it goes " * 200
ITEMS = [{"id": n} for n in range(25)]
CUT_BAD = {
    "a total": ok({"items": ITEMS, "total_count": 212}, "Orders."),
    "camel case": ok({"items": ITEMS, "totalCount": 212}, "Orders."),
    "a plain total": ok({"items": ITEMS, "total": 212}, "Orders."),
    "beside a page": ok({"items": ITEMS, "meta": {"total_results": 90}}, "Orders."),
    "unfinished JSON": ok('{"rows": [{"id": 1, "name": "air"}, {"id": 2, "na', "Rows."),
    "unfinished list": ok({"body": '[{"id": 1, "name": "air"}, {"id": 2,'}, "Rows."),
    "a round size": ok(LONG[:4096], "Manual read."),
    "a thousand": ok({"text": LONG[:6000]}, "Manual read."),
    "MCP text": mcp(LONG[:2048]),
    "MCP JSON": mcp('{"rows": [{"id": 1, "name": "air"}, {"id": 2, "na'),
}
CUT_GOOD = {
    "first of": ok({"items": ITEMS, "total_count": 212}, "First 25 of 212 orders."),
    "has more": ok({"items": ITEMS, "total": 212, "has_more": True}, "Orders."),
    "a cursor": ok({"items": ITEMS, "total": 212, "next": "c2"}, "Orders."),
    "a page": ok(
        {"items": ITEMS, "page": {"total_count": 212, "next_start": 25}}, "O."
    ),
    "an action": ok(
        {"items": ITEMS, "total": 212},
        "Orders.",
        next_actions=["Continue at start=25."],
    ),
    "all there": ok({"items": ITEMS, "total_count": 25}, "Orders."),
    "an invoice": ok({"lines": [{"sku": "a"}], "total": 120}, "Invoice 7."),
    "a whole text": ok(LONG, "Manual read."),
    "whole JSON": ok('{"rows": [{"id": 1, "name": "air"}, {"id": 2}]}', "Rows."),
    "says so itself": ok(LONG[:3986] + "\n[truncated]", "Manual read."),
    "a file": ok({"text": LONG[:4096], "file": "out/manual.txt"}, "Manual read."),
    "not JSON": ok("{name} is a placeholder of the template language", "Template."),
    "German": ok({"items": ITEMS, "total": 212}, "Die ersten 25 von 212."),
    "Japanese": ok({"items": ITEMS, "total": 212}, "212件中の最初の25件"),
    "an error": error("Cut.", payload={"items": ITEMS, "total": 212}),
}


@pytest.mark.parametrize("name", CUT_BAD)
def test_cut_without_notice(name):
    (said,) = answer("truncation", CUT_BAD[name])
    assert said.message.startswith("a cut result without notice: ")


@pytest.mark.parametrize("name", CUT_GOOD)
def test_not_cut_or_announced(name):
    assert answer("truncation", CUT_GOOD[name]) == []


@pytest.mark.parametrize(
    ("transport", "fires"),
    [
        ({"truncated": True}, True),
        ({"rows": 212}, True),
        ({"finish_reason": "max_tokens"}, True),
        ({"rows": 25}, False),
        ({"truncated": False, "rows": None}, False),
        ({"rows": 0}, False),
    ],
)
def test_cut_on_record(transport, fires):
    assert bool(answer("truncation", ok(ITEMS, "Rows."), transport=transport)) is fires
    told = ok(ITEMS, "First 25 of 212 rows; continue with offset=25.")
    assert answer("truncation", told, transport=transport) == []


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("raised", ["TimeoutError: 30 s", "Error: x"])
def test_a_raise_is_another_rules(rule, raised):
    result = parse(None, raised=raised)
    assert RULES[rule].check(result, Context()) is None


DEEP = {"payload": 1}
for _ in range(5_000):
    DEEP = {"result": DEEP}
HOSTILE = {
    "large": ok("failed error " * 400_000),
    "many items": ok([{"id": n, "error": "x y"} for n in range(50_000)]),
    "many keys": ok({f"failed_{n}": n for n in range(50_000)}),
    "deep": ok(DEEP),
    "spaces": ok(" " * 1_000_000 + "error", " " * 100_000 + "error"),
    "tags": mcp("<" * 500_000 + "error"),
    "quotes": mcp("'" * 500_000 + "error"),
    "brackets": mcp("[" * 500_000),
    "words": ok("no " * 300_000 + "error", "no " * 100_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_bounded(name):
    result = parse(HOSTILE[name])
    start = time.perf_counter()
    for entry in RULES.values():
        entry.check(result, Context())
    assert time.perf_counter() - start < 3

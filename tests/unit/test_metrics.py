"""Estimates, intervals and plans, against known figures and the shared vectors."""

from __future__ import annotations

import itertools
import json
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_agentgate.metrics import (
    beta_cdf,
    beta_quantile,
    clopper_pearson,
    clopper_pearson_lower,
    interval,
    mean_over_tasks,
    min_trials_all_pass,
    pass_at_k,
    pass_hat_k,
    percentile,
    provable,
    rate_needed,
    t_interval,
    t_quantile,
    wilson,
)

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared"
AIRLINE = [(4, c) for c, tasks in enumerate((14, 12, 10, 4, 10)) for _ in range(tasks)]
"""The 50 tasks of tau-bench's airline runs, four trials each (pass^1..4 published)."""


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    path = SHARED / "vectors" / "metric_vectors.json"
    if not path.exists():
        pytest.skip("../shared is not here")
    return json.loads(path.read_text(encoding="utf-8"))


def number(text: str | float) -> float:
    return float(Fraction(text))


class TestEstimates:
    @pytest.mark.parametrize(
        ("n", "c", "k", "at", "hat"),
        [
            (1, 1, 1, 1.0, 1.0),
            (3, 0, 3, 0.0, 0.0),
            (3, 2, 3, 1.0, 0.0),
            (3, 3, 3, 1.0, 1.0),
            (4, 2, 2, 5 / 6, 1 / 6),
            (10, 9, 1, 0.9, 0.9),
            (20, 13, 5, 5161 / 5168, 429 / 5168),
        ],
    )
    def test_known_values(self, n: int, c: int, k: int, at: float, hat: float) -> None:
        assert pass_at_k(n, c, k) == at
        assert pass_hat_k(n, c, k) == hat

    def test_subsets_enumerated(self) -> None:
        trials = [True, True, False, True, False]
        draws = list(itertools.combinations(trials, 3))
        assert pass_at_k(5, 3, 3) == sum(map(any, draws)) / len(draws)
        assert pass_hat_k(5, 3, 3) == sum(map(all, draws)) / len(draws)

    @pytest.mark.parametrize(
        ("n", "c", "k", "message"),
        [
            (3, 3, 0, "k must be at least 1, not 0"),
            (2, 2, 3, "2 trials cannot estimate {} for k = 3: n < k"),
            (0, 0, 1, "0 trials cannot estimate {} for k = 1: n < k"),
            (3, 4, 2, "4 passed trials of 3: expected 0 to 3"),
            (3, -1, 2, "-1 passed trials of 3: expected 0 to 3"),
        ],
    )
    def test_nothing_is_clamped(self, n: int, c: int, k: int, message: str) -> None:
        for estimate, name in ((pass_at_k, "pass@k"), (pass_hat_k, "pass^k")):
            with pytest.raises(ValueError, match=re.escape(message.format(name))):
                estimate(n, c, k)

    def test_unknown_metric(self) -> None:
        with pytest.raises(ValueError, match="unknown metric 'pass_k'"):
            mean_over_tasks([(3, 3)], 3, "pass_k")  # type: ignore[arg-type]

    def test_mean_meets_a_decimal_threshold(self) -> None:
        for passed in range(101):
            tasks = [(1, 1)] * passed + [(1, 0)] * (100 - passed)
            assert mean_over_tasks(tasks, 1, "pass^k") == passed / 100

    def test_tasks_weigh_equally(self) -> None:
        assert mean_over_tasks([(1, 0), (99, 99)], 1, "pass^k") == 0.5

    def test_no_tasks(self) -> None:
        with pytest.raises(ValueError, match="no tasks: the mean over no tasks"):
            mean_over_tasks([], 1, "pass^k")

    def test_three_readings_of_pass_hat_4(self) -> None:
        assert mean_over_tasks(AIRLINE, 4, "pass^k") == 0.2
        assert sum((c / 4) ** 4 for _, c in AIRLINE) / 50 == pytest.approx(0.23875)
        pooled = 84 / 200
        assert pooled**4 == pytest.approx(0.0311, abs=1e-4)

    @given(st.data())
    def test_identities(self, data: st.DataObject) -> None:
        n = data.draw(st.integers(1, 40))
        c = data.draw(st.integers(0, n))
        k = data.draw(st.integers(1, n))
        assert pass_at_k(n, c, 1) == pass_hat_k(n, c, 1) == c / n
        assert pass_hat_k(n, c, k) == pytest.approx(1 - pass_at_k(n, n - c, k))
        if k < n:
            assert pass_at_k(n, c, k + 1) >= pass_at_k(n, c, k)
            assert pass_hat_k(n, c, k + 1) <= pass_hat_k(n, c, k)
        assert pass_at_k(n, c, n) == (c >= 1)
        assert pass_hat_k(n, c, n) == (c == n)


class TestVectors:
    @pytest.mark.parametrize(("group", "size"), [("small", 252), ("large", 6)])
    def test_pass_k(self, vectors: dict[str, Any], group: str, size: int) -> None:
        cases = vectors[f"pass_k_{group}"]["vectors"]
        assert len(cases) == size
        for v in cases:
            n, c, k = v["n"], v["c"], v["k"]
            assert pass_at_k(n, c, k) == number(v["pass_at_k"]) == v["pass_at_k_float"]
            assert pass_hat_k(n, c, k) == number(v["pass_hat_k"]), v

    def test_k_above_n_has_no_value(self, vectors: dict[str, Any]) -> None:
        assert any(v["case"] == "k>n" for v in vectors["pass_k_edge"]["rules"])
        with pytest.raises(ValueError, match="n < k"):
            pass_at_k(1, 1, 2)
        with pytest.raises(ValueError, match="k must be at least 1"):
            pass_hat_k(1, 1, 0)

    def test_identities_hold_to_ten(self, vectors: dict[str, Any]) -> None:
        assert len(vectors["identities"]["items"]) == 4
        for n in range(1, 11):
            for c, k in itertools.product(range(n + 1), range(1, n + 1)):
                dual = 1 - pass_at_k(n, n - c, k)
                assert pass_hat_k(n, c, k) == pytest.approx(dual, abs=1e-15)

    def test_unbiased_where_the_plug_in_is_not(self, vectors: dict[str, Any]) -> None:
        for v in vectors["plugin_bias"]["vectors"]:
            p, n, k = Fraction(v["p"]), v["n"], v["k"]
            chances = [
                math.comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)
            ]

            def expect(estimate: Any, chances: list[Fraction] = chances) -> float:
                return sum(float(w) * estimate(c) for c, w in enumerate(chances))

            at = expect(lambda c, n=n, k=k: pass_at_k(n, c, k))
            hat = expect(lambda c, n=n, k=k: pass_hat_k(n, c, k))
            plug_in = expect(lambda c, n=n, k=k: (c / n) ** k)
            assert at == pytest.approx(v["true_pass_at_k_float"], abs=1e-12)
            assert hat == pytest.approx(v["true_pass_hat_k_float"], abs=1e-12)
            assert plug_in == pytest.approx(v["E_plugin_hat_float"], abs=1e-12)
            assert plug_in > hat + 1e-6

    def test_binomial_intervals(self, vectors: dict[str, Any]) -> None:
        cases = vectors["binomial_intervals"]["vectors"]
        assert len(cases) == 21
        for v, level in itertools.product(cases, ("0.90", "0.95", "0.99")):
            c, n, known, confidence = v["c"], v["n"], v[level], float(level)
            assert wilson(c, n, confidence) == pytest.approx(known["wilson"], abs=1e-10)
            exact = clopper_pearson(c, n, confidence)
            assert exact == pytest.approx(known["clopper_pearson"], abs=1e-10)
            lower = clopper_pearson_lower(c, n, confidence)
            known_lower = known["clopper_pearson_one_sided_lower"]
            assert lower == pytest.approx(known_lower, abs=1e-10)

    def test_min_trials_all_pass(self, vectors: dict[str, Any]) -> None:
        for v in vectors["min_trials_all_pass"]["vectors"]:
            threshold = number(v["threshold"])
            for method, (word, sides) in itertools.product(
                ("wilson", "clopper-pearson"), (("one", 1), ("two", 2))
            ):
                n = min_trials_all_pass(threshold, method=method, sides=sides)  # type: ignore[arg-type]
                key = f"{method.replace('-', '_')}_{word}_sided_95"
                assert n == v[key], (threshold, key)

    def test_published_boards(self, vectors: dict[str, Any]) -> None:
        anchors = vectors["real_data_anchors"]["vectors"]
        assert len(anchors) == 61
        for v in anchors:
            n = v["trials"]
            tasks = [
                (n, c) for c, count in enumerate(v["hist_c0_c4"]) for _ in range(count)
            ]
            figures = [mean_over_tasks(tasks, k, "pass^k") for k in range(1, n + 1)]
            assert figures == [number(text) for text in v["exact"]], v["name"]
            for k, text in enumerate(v.get("exact_pass_at_k", ()), 1):
                assert mean_over_tasks(tasks, k, "pass@k") == number(text)

    def test_definitions_on_real_runs(self, vectors: dict[str, Any]) -> None:
        known = vectors["real_data_definitions"]
        for k in range(1, 5):
            hat = mean_over_tasks(AIRLINE, k, "pass^k")
            at = mean_over_tasks(AIRLINE, k, "pass@k")
            assert hat == number(known["unbiased_pass_hat_k"][k - 1])
            assert at == number(known["unbiased_pass_at_k"][k - 1])
            if k > 1:
                assert hat < number(known["per_task_plugin_(c/n)^k"][k - 1])
                assert hat > number(known["pooled_rate^k"][k - 1])

    def test_raw_runs(self) -> None:
        path = SHARED / "data" / "tau-bench" / "gpt-4o-airline.json"
        if not path.exists():
            pytest.skip("../shared is not here")
        passed: dict[int, list[bool]] = {}
        for run in json.loads(path.read_text(encoding="utf-8")):
            good = 1 - 1e-6 <= run["reward"] <= 1 + 1e-6
            passed.setdefault(run["task_id"], []).append(good)
        tasks = [(len(trials), sum(trials)) for trials in passed.values()]
        assert sorted(tasks) == sorted(AIRLINE)
        figures = [mean_over_tasks(tasks, k, "pass^k") for k in range(1, 5)]
        assert [f"{figure:.3f}" for figure in figures] == [
            "0.420",
            "0.273",
            "0.220",
            "0.200",
        ]


class TestIntervals:
    def test_known_binomial(self) -> None:
        low, high = clopper_pearson(81, 263)
        assert (round(low, 4), round(high, 4)) == (0.2527, 0.3676)
        low, high = wilson(81, 263)
        assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)

    def test_ends_are_exact(self) -> None:
        assert clopper_pearson(0, 20)[0] == wilson(0, 20)[0] == 0.0
        assert clopper_pearson(20, 20)[1] == wilson(20, 20)[1] == 1.0
        assert clopper_pearson_lower(0, 5) == 0.0
        assert clopper_pearson(0, 10)[1] == pytest.approx(1 - 0.025**0.1, abs=1e-12)

    @pytest.mark.parametrize("bound", [wilson, clopper_pearson, clopper_pearson_lower])
    def test_bad_counts(self, bound: Any) -> None:
        with pytest.raises(ValueError, match="needs at least one trial, not 0"):
            bound(0, 0)
        with pytest.raises(ValueError, match="4 successes of 3: expected 0 to 3"):
            bound(4, 3)
        with pytest.raises(ValueError, match="between 0 and 1, not 95"):
            bound(1, 3, 95)

    @pytest.mark.parametrize(
        ("confidence", "freedom", "expected"),
        [
            (0.95, 1, 12.706204736174704),
            (0.95, 2, 4.302652729749464),
            (0.95, 10, 2.2281388519862744),
            (0.99, 4, 4.604094871349993),
            (0.90, 30, 1.6972608865939587),
            (0.95, 49, 2.009575237129235),
        ],
    )
    def test_t_quantile(self, confidence: float, freedom: int, expected: float) -> None:
        assert t_quantile(confidence, freedom) == pytest.approx(expected, abs=1e-9)

    def test_t_quantile_closed_forms(self) -> None:
        for confidence in (0.5, 0.8, 0.9, 0.95, 0.99):
            one = math.tan(math.pi * confidence / 2)
            two = confidence * math.sqrt(2 / (1 - confidence**2))
            assert t_quantile(confidence, 1) == pytest.approx(one, rel=1e-10)
            assert t_quantile(confidence, 2) == pytest.approx(two, rel=1e-10)

    def test_t_quantile_needs_freedom(self) -> None:
        with pytest.raises(ValueError, match="needs a degree of freedom, not 0"):
            t_quantile(0.95, 0)

    @given(st.floats(0.01, 0.99), st.floats(0.5, 200, width=32), st.floats(0.5, 200))
    def test_beta_quantile_inverts(self, p: float, a: float, b: float) -> None:
        assert beta_cdf(beta_quantile(p, a, b), a, b) == pytest.approx(p, abs=1e-9)

    def test_beta_is_uniform_for_one_and_one(self) -> None:
        assert beta_cdf(0.3, 1, 1) == pytest.approx(0.3, abs=1e-15)
        assert (beta_cdf(0, 2, 3), beta_cdf(1, 2, 3)) == (0.0, 1.0)

    def test_t_interval(self) -> None:
        low, high = t_interval([1.0, 2.0, 3.0])
        reach = 4.302652729749464 / math.sqrt(3)
        assert (low, high) == pytest.approx((2 - reach, 2 + reach), abs=1e-9)
        with pytest.raises(ValueError, match="needs two values, not 1"):
            t_interval([1.0])

    def test_one_trial_each_is_exact_over_tasks(self) -> None:
        found = interval([(1, 1)] * 9 + [(1, 0)], 1, "pass^k")
        assert found is not None
        assert found.method == "exact"
        assert (found.low, found.high) == clopper_pearson(9, 10)

    def test_k_trials_count_as_one_task_each(self) -> None:
        found = interval([(3, 3)] * 3, 3, "pass^k")
        assert found is not None
        assert found.low == pytest.approx(0.2924, abs=1e-4)

    def test_more_trials_than_k_is_t_on_task_means(self) -> None:
        found = interval(AIRLINE, 1, "pass^k")
        assert found is not None
        assert found.method == "t"
        # SE of the mean over tasks is .052; pooled over trials it would be .035.
        assert found.high - found.low == pytest.approx(0.2075, abs=5e-3)

    def test_t_is_cut_to_what_a_rate_can_be(self) -> None:
        found = interval([(2, 2), (2, 2), (2, 1)], 1, "pass^k")
        assert found is not None
        assert found.method == "t"
        assert found.high == 1.0

    def test_no_spread_is_exact(self) -> None:
        found = interval([(5, 5)] * 4, 1, "pass^k")
        assert found is not None
        assert found == (*clopper_pearson(4, 4), "exact")
        halves = interval([(4, 2)] * 6, 1, "pass^k")
        assert halves is not None
        assert halves == (*clopper_pearson(3, 6), "exact")

    def test_one_task_has_none(self) -> None:
        assert interval([(3, 3)], 3, "pass^k") is None
        with pytest.raises(ValueError, match="no tasks"):
            interval([], 3, "pass^k")


class TestPlanning:
    @pytest.mark.parametrize(("n", "proved"), [(1, 0.025), (3, 0.2924), (36, 0.9026)])
    def test_provable(self, n: int, proved: float) -> None:
        assert provable(n) == pytest.approx(proved, abs=1e-4)
        assert provable(n) == pytest.approx(clopper_pearson(n, n)[0], abs=1e-12)

    def test_provable_needs_a_trial(self) -> None:
        with pytest.raises(ValueError, match="at least one trial, not 0"):
            provable(0)

    def test_min_trials(self) -> None:
        assert min_trials_all_pass(0.9) == 36
        assert min_trials_all_pass(0.9, sides=1) == 29
        assert min_trials_all_pass(0.9, method="wilson", sides=1) == 25
        assert min_trials_all_pass(0.0) == 1
        assert provable(35) < 0.9 <= provable(36)

    @pytest.mark.parametrize("threshold", [1.0, 1.5, -0.1])
    def test_min_trials_out_of_reach(self, threshold: float) -> None:
        with pytest.raises(ValueError, match=f"no number of trials proves {threshold}"):
            min_trials_all_pass(threshold)

    def test_rate_needed_closed_forms(self) -> None:
        assert rate_needed("pass^k", 3, 10, 1.0) == pytest.approx(0.95 ** (1 / 30))
        assert rate_needed("pass^k", 1, 1, 1.0) == pytest.approx(0.95)
        one = 1 - 0.05 ** (1 / 3)
        assert rate_needed("pass@k", 3, 1, 0.5) == pytest.approx(one)
        assert rate_needed("pass@k", 3, 10, 0.0) == 0.0

    @pytest.mark.parametrize("metric", ["pass^k", "pass@k"])
    def test_rate_needed_holds_19_of_20_times(self, metric: Any) -> None:
        rate = rate_needed(metric, 3, 10, 0.9)
        share = rate**3 if metric == "pass^k" else 1 - (1 - rate) ** 3
        holds = share**10 + 10 * share**9 * (1 - share)
        assert holds == pytest.approx(0.95, abs=1e-9)

    def test_rate_needed_bad_arguments(self) -> None:
        with pytest.raises(ValueError, match="not k = 0, tasks = 1, threshold = 1"):
            rate_needed("pass^k", 0, 1, 1)
        with pytest.raises(ValueError, match="tasks = 0"):
            rate_needed("pass^k", 1, 0, 1)
        with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
            rate_needed("pass^k", 1, 1, 1, hold=1.0)

    def test_percentile_is_a_seen_value(self) -> None:
        values = [15, 20, 35, 40, 50]
        assert [percentile(values, q) for q in (0, 5, 30, 40, 50, 100)] == [
            15,
            15,
            20,
            20,
            35,
            50,
        ]
        assert percentile(range(1, 1001), 99.9) == 999
        assert percentile([7], 95) == 7

    @pytest.mark.parametrize(("values", "q"), [([], 50), ([1], 101), ([1], -1)])
    def test_percentile_of_nothing(self, values: list[int], q: float) -> None:
        with pytest.raises(ValueError, match=f"no {q}th percentile"):
            percentile(values, q)

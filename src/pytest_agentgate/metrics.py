"""What k trials say about a task, and how much of it is proved.

What is measured here: a *task* gave ``n`` scored trials of which ``c`` passed. Two
questions can be asked of it. *pass@k*: would at least one of k trials pass? *pass^k*:
would all k pass? Both are estimated without bias from any n >= k; a gate's figure is
the mean over its tasks, each with the same weight. With fewer than k trials there is
no unbiased estimate, so there is none here either: nothing is clamped.

Everything is pure and needs the standard library only. Probabilities and rates are
fractions of one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from statistics import NormalDist, fmean, stdev
from typing import Literal, NamedTuple

Metric = Literal["pass^k", "pass@k"]
Tasks = Sequence[tuple[int, int]]
"""For each task its scored trials n and the passed ones c, as ``(n, c)``."""


class Interval(NamedTuple):
    """Where a gate's true figure lies, and how that was found.

    Attributes:
        low: lower end.
        high: upper end.
        method: ``exact`` (Clopper-Pearson over tasks) or ``t`` (on task means).
    """

    low: float
    high: float
    method: Literal["exact", "t"]


def pass_at_k(n: int, c: int, k: int) -> float:
    """Estimate the chance that at least one of k trials passes.

    ``1 - C(n-c, k) / C(n, k)``, the unbiased estimator of Chen et al. 2021
    (arXiv 2107.03374, eq. 1), in exact integers and rounded once.

    Args:
        n: scored trials, at least k.
        c: passed trials, 0 to n.
        k: tries that are granted (pass@k) or must all pass (pass^k), at least 1.

    Raises:
        ValueError: k < 1, n < k, or c outside 0..n.
    """
    return float(_exact("pass@k", n, c, k))


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Estimate the chance that all of k trials pass (pass^k, "pass hat k").

    ``C(c, k) / C(n, k)``, the unbiased estimator of Yao et al. 2024
    (arXiv 2406.12045), in exact integers and rounded once; arguments and errors as
    for ``pass_at_k``.
    """
    return float(_exact("pass^k", n, c, k))


def mean_over_tasks(tasks: Iterable[tuple[int, int]], k: int, metric: Metric) -> float:
    """Return a gate's figure: the mean of its tasks' estimates, equal weights.

    The mean is taken in exact fractions and rounded once, so 9 of 10 is the float
    0.9 and meets a threshold of 0.9.

    Raises:
        ValueError: there is no task, or one of them has no estimate.
    """
    estimates = [_exact(metric, n, c, k) for n, c in tasks]
    if not estimates:
        raise ValueError("no tasks: the mean over no tasks is not a figure")
    return float(sum(estimates) / len(estimates))


def _exact(metric: Metric, n: int, c: int, k: int) -> Fraction:
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    if n < k:
        raise ValueError(f"{n} trials cannot estimate {metric} for k = {k}: n < k")
    if not 0 <= c <= n:
        raise ValueError(f"{c} passed trials of {n}: expected 0 to {n}")
    if metric == "pass^k":
        return Fraction(math.comb(c, k), math.comb(n, k))
    if metric == "pass@k":
        return 1 - Fraction(math.comb(n - c, k), math.comb(n, k))
    raise ValueError(f"unknown metric {metric!r}: expected 'pass^k' or 'pass@k'")


def wilson(c: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the two-sided Wilson score interval of c successes in n trials.

    Raises:
        ValueError: n < 1, c outside 0..n, or confidence outside (0, 1).
    """
    _check_counts(c, n, confidence)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, z2 = c / n, z * z
    centre = share + z2 / (2 * n)
    reach = z * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    low, high = ((centre + way) / (1 + z2 / n) for way in (-reach, reach))
    return (0.0 if c == 0 else low), (1.0 if c == n else high)


def clopper_pearson(c: float, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the two-sided exact (Clopper-Pearson) interval of c in n.

    c may be a fraction (a sum of task estimates): the beta quantiles are taken there.

    Raises:
        ValueError: n < 1, c outside 0..n, or confidence outside (0, 1).
    """
    _check_counts(c, n, confidence)
    tail = (1 - confidence) / 2
    low = 0.0 if c == 0 else beta_quantile(tail, c, n - c + 1)
    high = 1.0 if c == n else beta_quantile(1 - tail, c + 1, n - c)
    return low, high


def clopper_pearson_lower(c: float, n: int, confidence: float = 0.95) -> float:
    """Return the one-sided exact lower bound of c successes in n trials.

    Raises:
        ValueError: n < 1, c outside 0..n, or confidence outside (0, 1).
    """
    _check_counts(c, n, confidence)
    return 0.0 if c == 0 else beta_quantile(1 - confidence, c, n - c + 1)


def t_interval(
    values: Sequence[float], confidence: float = 0.95
) -> tuple[float, float]:
    """Return Student's interval of the mean of the values, not cut to 0..1.

    Values without spread give a width of zero, which claims too much; ``interval``
    takes care of them.

    Raises:
        ValueError: fewer than two values, or confidence outside (0, 1).
    """
    if len(values) < 2:
        raise ValueError(f"a t interval needs two values, not {len(values)}")
    reach = t_quantile(confidence, len(values) - 1)
    reach *= stdev(values) / math.sqrt(len(values))
    return fmean(values) - reach, fmean(values) + reach


def interval(
    tasks: Tasks, k: int, metric: Metric, confidence: float = 0.95
) -> Interval | None:
    """Return a gate's two-sided interval, over tasks and never pooled over trials.

    Trials of one task are not independent evidence about other tasks. Where every
    task ran exactly k trials its estimate is 0 or 1, so the interval is exact over
    tasks; with more trials it is t on the task estimates, cut to 0..1, or exact
    where these do not differ. One task says nothing about others: ``None``.

    Raises:
        ValueError: no task, or one that has no estimate.
    """
    count = len(tasks)
    total = mean_over_tasks(tasks, k, metric) * count
    if count == 1:
        return None
    estimates = [float(_exact(metric, n, c, k)) for n, c in tasks]
    if all(n == k for n, _ in tasks) or len(set(estimates)) == 1:
        return Interval(*clopper_pearson(min(total, count), count, confidence), "exact")
    low, high = t_interval(estimates, confidence)
    return Interval(max(low, 0.0), min(high, 1.0), "t")


def _check_counts(c: float, n: int, confidence: float) -> None:
    if n < 1:
        raise ValueError(f"an interval needs at least one trial, not {n}")
    if not 0 <= c <= n:
        raise ValueError(f"{c} successes of {n}: expected 0 to {n}")
    _check_confidence(confidence)


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")


def provable(n: int, confidence: float = 0.95) -> float:
    """Return what n of n proves: the lower end of the two-sided exact interval.

    That is ``((1 - confidence) / 2) ** (1 / n)``: 3 of 3 proves 0.29. It is two-sided
    as the intervals beside it are; one-sided, 3 of 3 would prove 0.37.

    Raises:
        ValueError: n < 1 or confidence outside (0, 1).
    """
    _check_counts(n, n, confidence)
    return float(((1 - confidence) / 2) ** (1 / n))


def min_trials_all_pass(
    threshold: float,
    confidence: float = 0.95,
    *,
    method: Literal["clopper-pearson", "wilson"] = "clopper-pearson",
    sides: Literal[1, 2] = 2,
) -> int:
    """Return the smallest n of which n passes prove the threshold.

    Args:
        threshold: what is to be proved, 0 <= threshold < 1.
        confidence: of the interval whose lower end must reach the threshold.
        method: which interval.
        sides: 2 as ``provable`` and the intervals have it, 1 for a lower bound.

    Raises:
        ValueError: threshold outside 0..1, or 1, which no number of trials proves.
    """
    _check_confidence(confidence)
    if not 0 <= threshold < 1:
        raise ValueError(f"no number of trials proves {threshold}: expected 0 to < 1")
    tail = (1 - confidence) / sides
    z2 = NormalDist().inv_cdf(1 - tail) ** 2

    def reached(n: int) -> bool:
        low = tail ** (1 / n) if method == "clopper-pearson" else n / (n + z2)
        return low >= threshold

    return _first(reached)


def rate_needed(
    metric: Metric, k: int, tasks: int, threshold: float, hold: float = 0.95
) -> float:
    """Return the per-trial pass rate at which a gate holds 19 of 20 times.

    Every task runs k trials, each passing with this rate, independently; at least
    ``threshold`` of the tasks must succeed with chance ``hold``.

    Args:
        metric: the gate's metric.
        k: trials a task; for a gate that runs more than k this is not the figure.
        tasks: tasks of the gate, at least 1.
        threshold: the gate's threshold on the share of tasks.
        hold: how often the gate must hold.

    Raises:
        ValueError: an argument is out of its range.
    """
    _check_confidence(hold)
    if k < 1 or tasks < 1 or not 0 <= threshold <= 1:
        raise ValueError(
            f"expected k >= 1, tasks >= 1 and a threshold of 0 to 1, "
            f"not k = {k}, tasks = {tasks}, threshold = {threshold}"
        )
    need = next(c for c in range(tasks + 1) if c / tasks >= threshold)
    # At least ``need`` of the tasks succeed with chance I_share(need, tasks-need+1).
    share = 0.0 if need == 0 else beta_quantile(hold, need, tasks - need + 1)
    if metric == "pass^k":
        return float(share ** (1 / k))
    return -math.expm1(math.log1p(-share) / k) if share < 1 else 1.0


def percentile(values: Iterable[float], q: float) -> float:
    """Return the q-th percentile (0..100) by nearest rank: a value that was seen.

    Raises:
        ValueError: no values, or q outside 0..100.
    """
    ordered = sorted(values)
    if not ordered or not 0 <= q <= 100:
        raise ValueError(f"no {q}th percentile of {len(ordered)} values")
    # A hair is taken off so that 99.9 % of 1,000 is rank 999 despite binary fractions.
    rank = math.ceil(q * len(ordered) / 100 - 1e-9)
    return ordered[max(rank, 1) - 1]


def _first(holds: Callable[[int], bool]) -> int:
    """Return the smallest n >= 1 from which on a monotone predicate holds."""
    high = 1
    while not holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def t_quantile(confidence: float, freedom: int) -> float:
    """Return t such that ``|T| <= t`` with this confidence (good to 1e-9).

    Raises:
        ValueError: freedom < 1 or confidence outside (0, 1).
    """
    _check_confidence(confidence)
    if freedom < 1:
        raise ValueError(f"Student's t needs a degree of freedom, not {freedom}")
    # P(|T| > t) is the regularised incomplete beta at v / (v + t*t).
    x = beta_quantile(1 - confidence, freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - x) / x)


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return x with ``I_x(a, b) = probability``, by bisection to the last bit."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if beta_cdf(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return middle


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function ``I_x(a, b)``."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    # The continued fraction converges fast on one side of the mean only.
    if x > (a + 1) / (a + b + 2):
        return 1 - _lower_beta(1 - x, b, a)
    return _lower_beta(x, a, b)


def _lower_beta(x: float, a: float, b: float) -> float:
    log_front = a * math.log(x) + b * math.log1p(-x)
    log_front += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(log_front) / (a * _continued_fraction(x, a, b))


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Evaluate DLMF 8.17.22 by the modified Lentz method."""
    tiny = 1e-300
    value, upper, lower = 1.0, 1.0, 0.0
    for m in range(1, 10_000):
        half, odd = divmod(m, 2)
        if odd:
            term = -(a + half) * (a + b + half) / ((a + m - 1) * (a + m)) * x
        else:
            term = half * (b - half) / ((a + m - 1) * (a + m)) * x
        lower = 1 / ((1 + term * lower) or tiny)
        upper = (1 + term / upper) or tiny
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-16:
            break
    return value

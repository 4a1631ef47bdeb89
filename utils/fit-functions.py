#!/usr/bin/env python3
"""Fits the polynomials of lib/Transforms/Floats/VectorFunctions.cpp.

usage: fit-functions.py

Prints the coefficients of each, lowest first, as floats of C, and how far the
exact polynomial or quotient is off, relative to the function. The fit is
minimax: least squares with Lawson's weights (Lawson, "Contributions to the
Theory of Linear Least Maximum Approximation", 1961) on 3,000 Chebyshev points,
quotients by the iteration of Sanathanan and Koerner (IEEE Transactions on
Automatic Control 8, 1963). A quotient stays the same when both sides are
multiplied by one number: of 60 it takes the one with which rounding to floats
loses least, and an end from which on it is 1.
"""

import math

import numpy

ROUNDS = 400
POINTS = 3000
SCALES = 60


def chebyshev(low, high):
    angles = numpy.pi * (numpy.arange(POINTS) + 0.5) / POINTS
    return (low + high) / 2 + (high - low) / 2 * numpy.cos(angles)


def series(z, first):
    """The sum of z^k / (k + first)!."""
    return sum(z**k / math.factorial(k + first) for k in range(25))


def log_series(f):
    """(log(1 + f) - f + f^2 / 2) / f^3."""
    near = sum((-f) ** k / (k + 3) for k in range(60))
    far = (numpy.log1p(f) - f + f * f / 2) / f**3
    return numpy.where(abs(f) < 0.2, near, far)


def fit(function, factor, z, unit, degrees):
    """P and Q, Q(0) = 1, for the least largest |factor * P(z) / Q(z) - function| / unit, and that."""
    m, n = degrees
    columns = [factor * z**k for k in range(m + 1)]
    columns += [-function * z**k for k in range(1, n + 1)]
    matrix = numpy.stack(columns, 1)
    bottom, weights = numpy.ones_like(z), numpy.full_like(z, 1 / len(z))
    best = (math.inf,)
    for _ in range(ROUNDS):
        row = numpy.sqrt(weights) / (unit * bottom)
        scaled = matrix * row[:, None]
        size = abs(scaled).max(0)
        found = numpy.linalg.lstsq(scaled / size, function * row, rcond=None)[0] / size
        p, q = found[: m + 1], numpy.r_[1, found[m + 1 :]]
        bottom = numpy.polyval(q[::-1], z)
        error = abs(factor * numpy.polyval(p[::-1], z) / bottom - function) / unit
        if error.max() < best[0]:
            best = (error.max(), p, q)
        weights *= (error / error.max() + 1e-12) ** 0.7
        weights /= weights.sum()
    return best


def multiply_add(a, b, c, fused):
    if fused:
        return (a.astype(float) * b + c).astype(numpy.float32)
    return a * b + c


def quotient(x, p, q, fused):
    """x * P(x^2) / Q(x^2) in floats."""
    z = x * x
    sides = []
    for side in (p, q):
        value = numpy.full_like(x, side[-1])
        for coefficient in side[-2::-1]:
            value = multiply_add(value, z, coefficient, fused)
        sides.append(value)
    return x * sides[0] / sides[1]


def units(value, exact):
    return abs(value - exact) / 2.0 ** (numpy.floor(numpy.log2(exact)) - 23)


def round_quotient(function, p, q, end):
    """Both sides as floats, and the first float up to `end` at which it is 1 or more."""
    draw = numpy.random.default_rng(0)
    x = (2.0 ** draw.uniform(-10, math.log2(end), 100_000)).astype(numpy.float32)
    exact = function(x.astype(float))
    best = (math.inf,)
    for scale in 2.0 ** draw.uniform(-1, 1, SCALES):
        sides = [(side * scale).astype(numpy.float32) for side in (p, q)]
        worst = max(units(quotient(x, *sides, fused), exact).max() for fused in (True, False))
        if worst < best[0]:
            best = (worst, *sides)
    candidates = numpy.arange(end, end * 0.97, -(2.0**-20), numpy.float32)
    reached = numpy.all([quotient(candidates, *best[1:], fused) >= 1 for fused in (True, False)], 0)
    return *best, float(candidates[reached][0])


def show(name, coefficients):
    print(f"{name}: " + ", ".join(f"{numpy.float32(c).item().hex()}f".replace("0000000p", "p") for c in coefficients))


def main():
    erf = numpy.vectorize(math.erf)
    for name, function, degrees, end in [("erf", erf, (6, 5), 3.95), ("tanh", numpy.tanh, (5, 4), 9.1)]:
        x = chebyshev(1e-9, end)
        error, p, q = fit(function(x), x, x * x, function(x), degrees)
        worst, p, q, last = round_quotient(function, p, q, end)
        print(f"{name}(x) = x * P(x^2) / Q(x^2) up to {last.hex()}, 1 beyond: 2^{math.log2(error):.1f}, {worst:.2f} units in floats")
        show("  P", p)
        show("  Q", q)
    half = math.log(2) / 2 * 1.001
    root = math.sqrt(2) * 1.0001
    for name, low, high, function, unit, degree in [
        ("exp(r) = 1 + r + r^2 * P(r)", -half, half, lambda r: series(r, 2), lambda r: abs(numpy.expm1(r)) / r**2, 4),
        ("exp2(r) = 1 + r * P(r)", -0.501, 0.501, lambda r: math.log(2) * series(r * math.log(2), 1), lambda r: 2**r / abs(r), 5),
        ("log(1 + f) = f - f^2 / 2 + f^3 * P(f)", 1 / root - 1, root - 1, log_series, lambda f: abs(numpy.log1p(f) / f**3), 7),
    ]:
        x = chebyshev(low, high)
        error, p, _ = fit(function(x), numpy.ones_like(x), x, unit(x), (degree, 0))
        print(f"{name}: 2^{math.log2(error):.1f}")
        show("  P", p)


main()

"""Repeats the calls of a list (tests/calls.lua) and prints TAP: python3 same_calls.py LIST.json, with the package esker."""

import json
import math
import sys

import esker

made, wrong = [None], []


def argument(given):
    """A value that was made, or the argument itself."""
    if isinstance(given, dict) and "value" in given:
        return made[given["value"]]
    return [argument(each) for each in given] if isinstance(given, list) else given


def agrees(found, expected):
    """Whether a result is what the list has; values are kept for later calls."""
    if "hash" in expected:
        made.append(found)
        return found.hash() == expected["hash"]
    if "labels" in expected:
        return dict(found or {}) == expected["labels"]
    numbers = expected.get("list") or [expected["number"]]
    given = found if "list" in expected else [found]
    return len(given) == len(numbers) and all(
        one == float(text) or (math.isnan(one) and math.isnan(float(text))) for one, text in zip(given, numbers))


with open(sys.argv[1], encoding="utf-8") as file:
    calls = json.load(file)
for call in calls:
    params = {name: argument(value) for name, value in call["params"].items()}
    results = esker.run(call["op"], *map(argument, call["inputs"]), **params)
    results = [value for value in results if value is not None] if isinstance(results, tuple) else [results]
    results = [] if results == [None] else results
    agreed = [agrees(found, expected) for found, expected in zip(results, call["made"])]
    if len(results) != len(call["made"]) or not all(agreed):
        wrong.append(f"{call['op']} {call['params']}")
count = sum("hash" in each for call in calls for each in call["made"])
print("ok" if not wrong and count >= 300 else "not ok", f"1 - {count} values of {len(calls)} calls have the same bytes")
for line in wrong[:12]:
    print("#", line)
print("1..1")

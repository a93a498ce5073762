"""Recipes, which the program runs in a process that cannot reach the user's files."""

import json
import os
import shutil
import subprocess
import tempfile

from esker import _operations as operations


def _program():
    beside = os.path.join(os.path.dirname(__file__), "esker")
    found = os.environ.get("ESKER_PROGRAM") or (beside if os.path.exists(beside) else shutil.which("esker"))
    if not found:
        raise OSError("recipe: there is no program `esker`; set ESKER_PROGRAM to its path")
    return found


def _word(name, value):
    if isinstance(value, bool):
        value = "true" if value else "false"
    return f"{name}={value}"


def recipe(path, /, **parameters):
    """Runs a recipe, a Lua file, with these parameters, and gives a dict of its results.

    It runs confined: it reads and writes nothing but what it is given. Fields keep all bits, their frames and gaps. What the
    recipe prints is not shown."""
    with tempfile.TemporaryDirectory() as folder:
        words = [_word(name, value) for name, value in parameters.items()]
        command = [_program(), os.fspath(path), *words, "--json", "--quiet", "--output", folder, "--format", "Field=npy"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"the recipe ended with status {done.returncode}"]
            failure = ValueError if os.path.isfile(path) else OSError
            raise failure("\n".join(line.removeprefix("esker: ") for line in lines))
        results = json.loads(done.stdout) if done.stdout.strip() else {}
        for name in sorted(os.listdir(folder)):
            base, ending = os.path.splitext(name)
            if ending in (".npy", ".png", ".geojson", ".csv"):
                results[base] = operations.run("load", os.path.join(folder, name))
        return results

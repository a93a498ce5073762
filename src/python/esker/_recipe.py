"""Recipes, which the program runs in a process that cannot reach the user's files."""

import json
import os
import shutil
import subprocess
import tempfile
import warnings

import numpy

from esker import _operations as operations


def program():
    """The path of the program `esker`: ESKER_PROGRAM, that of this package, or one on the PATH."""
    beside = os.path.join(os.path.dirname(__file__), "esker")
    found = os.environ.get("ESKER_PROGRAM") or (beside if os.path.exists(beside) else shutil.which("esker"))
    if not found:
        raise OSError("there is no program `esker`; set ESKER_PROGRAM to its path")
    return found


def _word(name, value):
    if isinstance(value, (bool, numpy.bool_)):
        value = "true" if value else "false"
    if not isinstance(value, (str, int, float, numpy.number, os.PathLike)):
        raise TypeError(f"recipe: {name} must be a number, a text, True or False, got {value!r}")
    return f"{name}={value}"


def _failure(path, text):
    """What ended the recipe, without what it printed before."""
    lines = text.strip().splitlines()
    first = max((i for i, line in enumerate(lines) if line.removeprefix("esker: ").startswith(f"{path}:")), default=0)
    return "\n".join(line.removeprefix("esker: ") for line in lines[first:])


def recipe(path, /, **parameters):
    """Runs a recipe, a Lua file, with these parameters, and gives a dict of its results.

    It runs confined: it reads its own folder and the files named in parameters. Fields keep all bits, their frames and
    gaps; a zoomable map is a Map, to the bit. What the recipe prints is not shown. A network comes as lines; a mesh does
    not come, which is a warning."""
    path = os.fspath(path)
    with tempfile.TemporaryDirectory() as folder:
        words = [_word(name, value) for name, value in parameters.items()]
        command = [program(), path, *words, "--json", "--quiet", "--output", folder,
                   "--format", "Field=npy", "--format", "RiverMap=json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            failure = ValueError if os.path.isfile(path) else OSError
            raise failure(_failure(path, done.stderr) or f"the recipe ended with status {done.returncode}")
        results = json.loads(done.stdout) if done.stdout.strip() else {}
        for name in sorted(os.listdir(folder)):
            base, ending = os.path.splitext(name)
            is_beside = os.path.exists(os.path.join(folder, base))  # it says how to read that file
            if ending == ".json" and not is_beside:
                results[base] = operations.run("load_map", os.path.join(folder, name))
            elif ending in (".npy", ".png", ".geojson", ".csv"):
                results[base] = operations.run("load", os.path.join(folder, name))
            elif ending == ".obj":
                warnings.warn(f"recipe: {base} is a mesh, which this package does not read from its file", stacklevel=2)
        return results

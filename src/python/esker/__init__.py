"""Esker: terrain as numpy arrays.

Each operation of Esker is a function here, and a method of the value that it takes first:

    import esker
    land = esker.noise(size=512, seed=7).stream_erosion(age=0.6)
    heights = land.array                       # a numpy array, without a copy
    land.relief().save("land.png")

Arrays with two dimensions are heights; arrays from numpy, masked ones and xarray.DataArrays are taken as they are. Names of
Python's own (min, max, abs) are methods only; raise, which no name may be, is raise_. `run("blur", land, sigma=0.01)` runs an
operation by its name.
"""

import builtins as _builtins

from esker import _library, _operations
from esker._library import set_memory_limit, task
from esker._operations import run
from esker._recipe import recipe
from esker._values import (Field, Image, Lines, Map, Mesh, Network, Points, Polygons, Value, field, lines, pixels, points,
                           polygons)

__version__ = _library.version().decode()
__all__ = ["Field", "Image", "Lines", "Map", "Mesh", "Network", "Points", "Polygons", "Value", "field", "lines", "pixels",
           "points", "polygons", "recipe", "run", "set_memory_limit", "task"]

_operations.add_methods()
for _operation in _library.OPERATIONS:
    if not hasattr(_builtins, _operation["name"]):
        globals()[_operations.python_name(_operation["name"])] = _operations.function(_operation)
        __all__.append(_operations.python_name(_operation["name"]))
del _operation

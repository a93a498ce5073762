"""`python3 -m esker._stub` prints the types of the package's functions, __init__.pyi, made of the declarations."""

import builtins
import inspect
import json

from esker import _library as library
from esker import _operations as operations
from esker import _values as values

HEAD = '''"""Made by esker._stub."""
from os import PathLike
from typing import Any, Callable, ContextManager, Literal, NamedTuple, Sequence, Union
import numpy
from numpy.typing import ArrayLike, NDArray

__version__: str
Path = Union[str, "PathLike[str]"]
Numbers = Union[Sequence[Any], NDArray[Any]]

def run(operation: str, /, *inputs: Any, **params: Any) -> Any: ...
def recipe(path: Path, /, **parameters: Any) -> dict[str, Any]: ...
def task(threads: int = ..., progress: Callable[[float], Any] | None = ...) -> ContextManager[Any]: ...
def set_memory_limit(bytes: int) -> None: ...
def field(array: Any, gaps: ArrayLike | None = ..., frame: dict[str, Any] | None = ..., wraps: bool = ...) -> Field: ...
def lines(shapes: Sequence[Any], size: int | None = ..., width: int | None = ..., height: int | None = ...,
          frame: Any = ...) -> Lines: ...
def pixels(array: ArrayLike) -> Image: ...
def points(rows: ArrayLike, size: int | None = ..., width: int | None = ..., height: int | None = ...,
           attributes: Sequence[Any] | None = ..., frame: Any = ...) -> Points: ...
def polygons(shapes: Sequence[Any], size: int | None = ..., width: int | None = ..., height: int | None = ...,
             frame: Any = ...) -> Polygons: ...
'''

TAKEN = {"field": "Field | NDArray[Any]", "image": "Image | NDArray[Any]", "number": "float", "text": "Path", "map": "Map",
         "network": "Network", "mesh": "Mesh", "points": "Points", "lines": "Lines", "polygons": "Polygons"}
GIVEN = {**TAKEN, "field": "Field", "image": "Image", "text": "str", "numbers": "list[float]", "labels": "dict[str, str]"}
PARAMS = {"integer": "int", "number": "float", "boolean": "bool", "text": "Path", "numbers": "Numbers",
          "decimal": "float | str", "field": "Field | NDArray[Any]", "fields": "Any", "image": "Image | NDArray[Any]",
          "palette": "str | Numbers", "colours": "str | Sequence[str]"}
MEMBERS = {
    values.Value: ["def hash(self) -> str: ...", "width: int", "height: int", "frame: Any"],
    values.Field: ["shape: tuple[int, int]", "array: NDArray[numpy.float32]", "wraps: bool", "gaps: Any",
                   "masked: Any", "def to_xarray(self, name: str | None = ...) -> Any: ...",
                   "def __array__(self, dtype: Any = ...) -> NDArray[Any]: ...", "def __neg__(self) -> Field: ..."]
                  + [f"def __{r}{sign}__(self, other: Field | float) -> Field: ..."
                     for sign in ("add", "sub", "mul", "truediv") for r in ("", "r")],
    values.Image: ["shape: tuple[int, int, int]", "array: NDArray[numpy.uint8]",
                   "def __array__(self, dtype: Any = ...) -> NDArray[Any]: ..."],
    values.Network: ["points: NDArray[Any]", "reaches: NDArray[Any]"],
    values.Mesh: ["points: NDArray[Any]", "triangles: NDArray[Any]"],
    values.Points: ["records: NDArray[Any]", "attributes: list[dict[str, Any]]"],
    values.Lines: ["shapes: list[dict[str, Any]]"],
    values.Polygons: ["shapes: list[dict[str, Any]]"],
}


def _is_one_of(operation):
    """Whether results are what one call may give instead of another: of a file, or of the kind of the input."""
    kinds = [kind for result in operation["results"] for kind in result["kinds"]]
    given = operation["inputs"][0]["kinds"] if operation["inputs"] else []
    return len(set(kinds)) == len(kinds) > 1 and (set(kinds) == set(given) or given == ["text"])


def _result_type(operation):
    results = operation["results"]
    if not results:
        return "None"
    if _is_one_of(operation):
        return "Any"
    return GIVEN[results[0]["kinds"][0]] if len(results) == 1 else f"_{operation['name']}"


def _taken(param):
    return f"Literal[{', '.join(map(json.dumps, param['choices']))}]" if param["kind"] == "choice" else PARAMS[param["kind"]]


def _parameters(operation, is_method):
    signature = operations.signature(operation, is_method)
    types = [" | ".join(TAKEN[kind] for kind in spec["kinds"]) for spec in operation["inputs"]]
    types += [_taken(spec) for spec in operation["params"]]
    words, by_name = [], False
    for parameter, type_ in zip(signature.parameters.values(), types):
        if parameter.kind == inspect.Parameter.KEYWORD_ONLY and not by_name:
            words += (["/"] if words else []) + ["*"]
            by_name = True
        is_self = is_method and not words
        words.append(parameter.name if is_self else f"{parameter.name}: {type_}" + (" = ..." if by_name else ""))
    return ", ".join(words + (["/"] if words and not by_name else []))


def _function(operation, is_method=False):
    return f"def {operations.python_name(operation['name'])}({_parameters(operation, is_method)}) -> {_result_type(operation)}: ..."


def stub():
    """The text of __init__.pyi."""
    lines = [HEAD]
    for operation in library.OPERATIONS:
        if _result_type(operation) == f"_{operation['name']}":
            lines.append(f"class _{operation['name']}(NamedTuple):")
            lines += [f"    {result['name']}: {GIVEN[result['kinds'][0]]}" for result in operation["results"]]
    for made in (values.Value, *values.CLASSES.values()):
        lines.append(f"class {made.__name__}{'' if made is values.Value else '(Value)'}:")
        lines += [f"    {member}" for member in MEMBERS.get(made, [])]
        lines += [f"    {_function(operation, True)}" for operation in library.OPERATIONS
                  if operation["inputs"] and made._kind in operation["inputs"][0]["kinds"]]
        lines += ["    pass"] if lines[-1].startswith("class ") else []
    lines += [_function(operation) for operation in library.OPERATIONS if not hasattr(builtins, operation["name"])]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(stub(), end="")

"""A function for each operation, with its signature and documentation, made of the engine's declarations."""

import collections
import inspect
import json
import keyword
import textwrap

import numpy

from esker import _library as library
from esker import _values as values

DECLARED = {operation["name"]: operation for operation in library.OPERATIONS}


def python_name(name):
    return name + "_" if keyword.iskeyword(name) else name


def _argument(name, value, keep):
    argument = library.Argument(name.encode())
    value = values.from_python(name, value)
    keep.append(value)
    if isinstance(value, values.Value):
        argument.kind, argument.value = library.kind(value._at), value._at
    elif isinstance(value, str):
        if "\0" in value:
            raise ValueError(f"{name}: a text must not contain a zero byte, got {value!r}")
        text = value.encode()
        keep.append(text)
        argument.kind, argument.text = library.KINDS["text"], text
    elif isinstance(value, numpy.ndarray):
        argument.kind, argument.count = library.KINDS["numbers"], len(value)
        argument.numbers = value.ctypes.data_as(type(argument.numbers))
    else:
        argument.kind, argument.number = library.KINDS["number"], float(value)
    return argument


def _values_of(param, value):
    """A list of fields is several arguments of one name; colours are words of one text, a palette's are numbers. Rows of
    numbers may be an array, which is no field here; whole numbers that no float holds are digits."""
    if param and param["kind"] == "numbers" and isinstance(value, numpy.ndarray) and 0 < value.ndim < 3:
        return [list(value)]
    if param and param["kind"] == "integer" and isinstance(value, (int, numpy.integer)) and abs(int(value)) > 2**53:
        return [str(int(value))]
    if param and param["kind"] == "fields" and isinstance(value, (list, tuple)):
        return list(value)
    if param and param["kind"] == "palette" and isinstance(value, (list, tuple)):
        return [[[height, *bytes.fromhex(colour.lstrip("#"))] for height, colour in value]]
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, str) for part in value):
        return [" ".join(value)]
    return [value]


def run(operation, *inputs, **params):
    """Runs an operation by its name. Several results are a named tuple, None for those that there are not."""
    declared = DECLARED.get(operation)
    if not declared:
        raise ValueError(f"there is no operation {operation!r}")
    if len(inputs) > len(declared["inputs"]):
        taken = ", ".join(spec["name"] for spec in declared["inputs"]) or "none"
        raise TypeError(f"{operation}: got {len(inputs)} inputs ({taken} {'is' if len(declared['inputs']) < 2 else 'are'} "
                        "taken); parameters are given by name")
    known, keep, arguments = {param["name"]: param for param in declared["params"]}, [], []
    try:
        for spec, value in zip(declared["inputs"], inputs):
            arguments.append(_argument(spec["name"], value, keep))
        for name, given in params.items():
            name = "from" if name == "from_" else name
            for value in _values_of(known.get(name), given) if given is not None else ():
                arguments.append(_argument(name, value, keep))
    except UnicodeError:
        raise
    except (TypeError, ValueError) as error:
        raise (TypeError if isinstance(error, TypeError) else ValueError)(f"{operation}: {error}") from None
    names = [result["name"] for result in declared["results"]]
    found = library.current_task().run(operation, (library.Argument * len(arguments))(*arguments), len(names))
    made = [values.to_python(at) for at in found[:len(names)]]
    present = [value for value in made if value is not None]
    if len(present) > 1:
        return collections.namedtuple(operation, names, rename=True)(*made)
    return present[0] if present else None


def _wrapped(text, indent=""):
    """Lines as a terminal shows them, of a text whose paragraphs are lines."""
    return [line for paragraph in text.split("\n")
            for line in textwrap.wrap(paragraph, 100, initial_indent=indent, subsequent_indent=indent and 2 * indent) or [""]]


def _documentation(operation):
    lines = [operation["summary"] + ".", ""]
    if operation.get("description"):
        lines += [*_wrapped(operation["description"]), ""]
    for title, specs in (("Inputs", operation["inputs"]), ("Parameters", operation["params"]), ("Results", operation["results"])):
        if specs:
            lines.append(title + ":")
        for spec in specs:
            more = [spec["allowed"]] if spec.get("allowed") else []
            default = spec.get("default")
            more += [f"by default {json.dumps(default) if isinstance(default, str) else default}"] if default not in (None, "") else []
            more += [spec["unit"]] if spec.get("unit") else []
            lines += _wrapped(f"{python_name(spec['name'])}: {spec.get('doc', '')}{' (' + '; '.join(more) + ')' if more else ''}", "    ")
    return "\n".join(lines + (_wrapped(f"Source: {operation['source']}") if operation.get("source") else []))


def signature(operation, is_method=False):
    """Inputs in order, then parameters by name. `crop` has an input and a parameter `height`: one is `height_`."""
    kinds = inspect.Parameter
    taken = {spec["name"] for spec in operation["params"]}
    inputs = [kinds("self" if is_method and i == 0 else spec["name"] + ("_" if spec["name"] in taken else ""),
                    kinds.POSITIONAL_ONLY) for i, spec in enumerate(operation["inputs"])]
    params = [kinds(python_name(spec["name"]), kinds.KEYWORD_ONLY, default=spec.get("default"))
              for spec in operation["params"]]
    return inspect.Signature(inputs + params)


def function(operation, is_method=False):
    """The Python function of an operation."""
    name = operation["name"]

    def call(*inputs, **params):
        return run(name, *inputs, **params)

    call.__name__ = call.__qualname__ = python_name(name)
    call.__module__ = "esker"
    call.__doc__ = _documentation(operation)
    call.__signature__ = signature(operation, is_method)
    return call


ARITHMETIC = {numpy.add: "add", numpy.subtract: "subtract", numpy.multiply: "multiply", numpy.true_divide: "divide"}


def _of_numpy(_, function, method, *inputs, **options):
    """A number of numpy with a field gives a field, as a number of Python does. All else is done with the cells as arrays."""
    if method == "__call__" and not options and function in ARITHMETIC and all(
            isinstance(value, values.Field) or numpy.ndim(value) == 0 for value in inputs):
        return run(ARITHMETIC[function], *inputs)
    arrays = [numpy.asarray(value) if isinstance(value, values.Field) else value for value in inputs]
    return getattr(function, method)(*arrays, **options)


def add_methods():
    """Each operation is a method of the kinds that its first input takes; + - * / of fields are operations as well."""
    for operation in library.OPERATIONS:
        for kind in operation["inputs"][0]["kinds"] if operation["inputs"] else ():
            made = values.CLASSES.get(kind)
            if made and not hasattr(made, python_name(operation["name"])):
                setattr(made, python_name(operation["name"]), function(operation, True))
    for sign, name in (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide")):
        setattr(values.Field, f"__{sign}__", lambda self, other, name=name: run(name, self, other))
        setattr(values.Field, f"__r{sign}__", lambda self, other, name=name: run(name, other, self))
    values.Field.__array_ufunc__ = _of_numpy
    values.Field.__neg__ = lambda self: run("negate", self)

"""A numpy array into Esker and out again without a copy: python3 erode.py [libesker.so.1]

Prints the hash of the eroded heights, which is the same as `esker` prints for the same work."""

import ctypes
import sys

import numpy

FIELD, NUMBER = 1, 4


class Argument(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("kind", ctypes.c_int), ("number", ctypes.c_double),
                ("text", ctypes.c_char_p), ("numbers", ctypes.c_void_p), ("count", ctypes.c_size_t),
                ("value", ctypes.c_void_p)]


esker = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libesker.so.1")
esker.esker_field_wrap.restype = esker.esker_field_cells.restype = ctypes.c_void_p
esker.esker_field_wrap.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_ssize_t, ctypes.c_void_p,
                                   ctypes.c_void_p, ctypes.c_char_p]
esker.esker_hash.restype = ctypes.c_uint64
esker.esker_free.argtypes = esker.esker_hash.argtypes = esker.esker_field_cells.argtypes = [ctypes.c_void_p]


def run(operation, **arguments):
    """The first result of an operation: numbers and fields by name."""
    given = (Argument * len(arguments))()
    for slot, (name, value) in zip(given, arguments.items()):
        slot.name = name.encode()
        slot.kind = FIELD if isinstance(value, ctypes.c_void_p) else NUMBER
        setattr(slot, "value" if slot.kind == FIELD else "number", value)
    result, error = ctypes.c_void_p(), ctypes.create_string_buffer(512)
    if esker.esker_run(operation.encode(), given, len(arguments), None, ctypes.byref(result), 1, error) != 0:
        raise ValueError(error.value.decode())
    return result


y, x = numpy.mgrid[0:128, 0:192].astype(numpy.float32)
heights = (x + 2 * y) / 512 + (x * y) % 7 / 64
message = ctypes.create_string_buffer(512)
field = esker.esker_field_wrap(heights.ctypes.data, 192, 128, 192 * 4, None, None, message)
if not field:
    raise ValueError(message.value.decode())
eroded = run("thermal_erosion", height=ctypes.c_void_p(field), iterations=10)
cells = numpy.ctypeslib.as_array(ctypes.cast(esker.esker_field_cells(eroded), ctypes.POINTER(ctypes.c_float)), (128, 192))
print(f"lowest {cells.min():.6f}, highest {cells.max():.6f}")
print(f"hash {esker.esker_hash(eroded):016x}")
esker.esker_free(eroded)
esker.esker_free(field)

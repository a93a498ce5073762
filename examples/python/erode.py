"""Passes a numpy array to Esker and back without a copy: python3 erode.py [libesker.so.1]

Prints the hash of the eroded heights, which is the one that `esker` prints for the same work."""

import ctypes
import sys
from ctypes import c_char_p, c_double, c_int, c_size_t, c_ssize_t, c_uint64, c_void_p

import numpy

FIELD, NUMBER = 1, 4


class Argument(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("number", c_double), ("text", c_char_p), ("numbers", c_void_p),
                ("count", c_size_t), ("value", c_void_p)]


def function(name, result, *arguments):
    return ctypes.CFUNCTYPE(result, *arguments)((name, library))


library = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libesker.so.1")
wrap = function("esker_field_wrap", c_void_p, c_void_p, c_int, c_int, c_ssize_t, c_void_p, c_void_p, c_char_p)
run = function("esker_run", c_int, c_char_p, c_void_p, c_size_t, c_void_p, c_void_p, c_size_t, c_char_p)
cells = function("esker_field_cells", ctypes.POINTER(ctypes.c_float), c_void_p)
error = ctypes.create_string_buffer(512)

y, x = numpy.mgrid[0:128, 0:192].astype(numpy.float32)
heights = (x + 2 * y) / 512 + (x * y) % 7 / 64
field = wrap(heights.ctypes.data, 192, 128, 192 * 4, None, None, error)
arguments = (Argument * 2)(Argument(b"height", FIELD, value=field), Argument(b"iterations", NUMBER, 10))
eroded = c_void_p()
if not field or run(b"thermal_erosion", arguments, 2, None, ctypes.byref(eroded), 1, error):
    sys.exit(error.value.decode())
result = numpy.ctypeslib.as_array(cells(eroded), (128, 192))
print(f"lowest {result.min():.6f}, highest {result.max():.6f}")
print(f"hash {function('esker_hash', c_uint64, c_void_p)(eroded):016x}")
for value in eroded, field:
    function("esker_free", None, c_void_p)(value)

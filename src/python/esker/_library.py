"""libesker by ctypes: its functions, calls of operations, and the task under which they run."""

import contextlib
import ctypes as c
import json
import operator
import os
import threading
from ctypes import c_bool, c_char_p, c_double, c_float, c_int, c_size_t, c_ssize_t, c_uint64, c_uint8, c_void_p

KINDS = {
    "field": 1, "image": 2, "number": 4, "text": 8, "numbers": 16, "labels": 32, "map": 64, "network": 128, "mesh": 256,
    "points": 512, "lines": 1024, "polygons": 2048,
}


class Argument(c.Structure):
    """EskerArgument."""
    _fields_ = [("name", c_char_p), ("kind", c_int), ("number", c_double), ("text", c_char_p),
                ("numbers", c.POINTER(c_double)), ("count", c_size_t), ("value", c_void_p)]


class Frame(c.Structure):
    """EskerFrame."""
    _fields_ = [("x", c_double), ("y", c_double), ("right_x", c_double), ("right_y", c_double), ("down_x", c_double),
                ("down_y", c_double), ("system", c_char_p), ("unit", c_char_p), ("sea", c_double), ("top", c_double),
                ("sealess", c_bool), ("no_heights", c_bool)]


class RiverPoint(c.Structure):
    """EskerRiverPoint."""
    _fields_ = [("x", c_double), ("y", c_double), ("area", c_double), ("altitude", c_float), ("width", c_float),
                ("distance", c_float), ("water", c_float)]


class Reach(c.Structure):
    """EskerReach."""
    _fields_ = [("first", c_int), ("count", c_int), ("downstream", c_int), ("order", c_int), ("mouth", c_bool),
                ("wadi", c_bool), ("salt", c_bool)]


class Point(c.Structure):
    """EskerPoint."""
    _fields_ = [("x", c_double), ("y", c_double), ("altitude", c_float), ("radius", c_float), ("variation", c_float),
                ("species", c_int)]


class ShapePoint(c.Structure):
    """EskerShapePoint."""
    _fields_ = [("x", c_double), ("y", c_double), ("altitude", c_float)]


class ShapePart(c.Structure):
    """EskerShapePart."""
    _fields_ = [("first", c_int), ("count", c_int), ("hole", c_bool)]


class Shape(c.Structure):
    """EskerShape."""
    _fields_ = [("first", c_int), ("count", c_int)]


class ShapeList(c.Structure):
    """EskerShapeList."""
    _fields_ = [("shapes", c.POINTER(Shape)), ("parts", c.POINTER(ShapePart)), ("points", c.POINTER(ShapePoint)),
                ("shape_count", c_size_t), ("part_count", c_size_t), ("point_count", c_size_t)]


def _load():
    beside = os.path.join(os.path.dirname(__file__), "libesker.so.1")
    return c.CDLL(os.environ.get("ESKER_LIBRARY") or (beside if os.path.exists(beside) else "libesker.so.1"))


_loaded = _load()


def _function(name, result, *arguments):
    function = getattr(_loaded, name)
    function.restype, function.argtypes = result, arguments
    return function


version = _function("esker_version", c_char_p)
kind = _function("esker_kind", c_int, c_void_p)
free = _function("esker_free", None, c_void_p)
hash_of = _function("esker_hash", c_uint64, c_void_p)
size = _function("esker_size", None, c_void_p, c_void_p, c_void_p)
wrap_field = _function("esker_field_wrap", c_void_p, c_void_p, c_int, c_int, c_ssize_t, c_void_p, c_void_p, c_char_p)
wrap_image = _function("esker_image_wrap", c_void_p, c_void_p, c_int, c_int, c_ssize_t, c_void_p, c_void_p, c_char_p)
cells = _function("esker_field_cells", c_void_p, c_void_p)
pixels = _function("esker_image_pixels", c_void_p, c_void_p)
wraps = _function("esker_field_wraps", c_bool, c_void_p)
set_wraps = _function("esker_field_set_wraps", None, c_void_p, c_bool)
gaps = _function("esker_field_gaps", c.POINTER(c_uint8), c_void_p, c_void_p)
set_gaps = _function("esker_field_set_gaps", c_int, c_void_p, c_void_p, c_char_p)
frame = _function("esker_frame", c_bool, c_void_p, c_void_p)
set_frame = _function("esker_set_frame", c_int, c_void_p, c_void_p, c_char_p)
number_of = _function("esker_number_of", c_double, c_void_p)
numbers_of = _function("esker_numbers_of", c.POINTER(c_double), c_void_p, c_void_p)
label_count = _function("esker_label_count", c_size_t, c_void_p)
label = _function("esker_label", c_char_p, c_void_p, c_size_t, c.POINTER(c_char_p))
reaches = _function("esker_reaches", c.POINTER(Reach), c_void_p, c_void_p)
river_points = _function("esker_river_points", c.POINTER(RiverPoint), c_void_p, c_void_p)
mesh_points = _function("esker_mesh_points", c.POINTER(c_float), c_void_p, c_void_p)
mesh_triangles = _function("esker_mesh_triangles", c.POINTER(c.c_uint32), c_void_p, c_void_p)
points = _function("esker_points", c.POINTER(Point), c_void_p, c_void_p)
new_points = _function("esker_points_new", c_void_p, c_int, c_int, c_void_p, c_size_t, c_char_p)
shapes = _function("esker_shapes", c.POINTER(Shape), c_void_p, c_void_p)
shape_parts = _function("esker_shape_parts", c.POINTER(ShapePart), c_void_p, c_void_p)
shape_points = _function("esker_shape_points", c.POINTER(ShapePoint), c_void_p, c_void_p)
new_shapes = _function("esker_shapes_new", c_void_p, c_int, c_int, c_int, c_void_p, c_char_p)
attribute_count = _function("esker_attribute_count", c_size_t, c_void_p)
attribute_name = _function("esker_attribute_name", c_char_p, c_void_p, c_size_t)
attribute = _function("esker_attribute", c_int, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p)
set_attribute = _function("esker_set_attribute", c_int, c_void_p, c_size_t, c_char_p, c_double, c_char_p, c_char_p)
_set_memory_limit = _function("esker_set_memory_limit", None, c_size_t)
_Progress = c.CFUNCTYPE(None, c_void_p, c_double)
_task_new = _function("esker_task_new", c_void_p, c_char_p)
_task_free = _function("esker_task_free", None, c_void_p)
_task_set_threads = _function("esker_task_set_threads", c_int, c_void_p, c_int, c_char_p)
_task_set_progress = _function("esker_task_set_progress", None, c_void_p, _Progress, c_void_p)
_task_stop = _function("esker_task_stop", None, c_void_p, c_bool)
_run = _function("esker_run", c_int, c_char_p, c_void_p, c_size_t, c_void_p, c_void_p, c_size_t, c_char_p)

OPERATIONS = json.loads(_function("esker_operations_json", c_char_p)())

_ERRORS = {1: ValueError, 2: MemoryError, 3: OSError, 4: KeyboardInterrupt}


def error_text():
    """Room for the error of one call."""
    return c.create_string_buffer(512)


def check(status, error):
    """Raises what a status says: ValueError, MemoryError, OSError or KeyboardInterrupt."""
    if status:
        raise _ERRORS[status](error.value.decode())


def _whole(name, given):
    try:
        return operator.index(given)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {given!r}") from None


def set_memory_limit(bytes):
    """Sets the maximum memory that the engine may use at once, in bytes: at first nine tenths of the machine's."""
    limit = _whole("bytes", bytes)
    if not 0 <= limit < 2**63:
        raise ValueError(f"bytes must be 0 to 2^63, got {limit}")
    _set_memory_limit(limit)


class Task:
    """The number of threads and the progress callback of the operations inside `with esker.task(...)`."""

    def __init__(self, threads=0, progress=None):
        threads = max(-2**31, min(_whole("threads", threads), 2**31 - 1))  # the engine says which it takes
        if progress is not None and not callable(progress):
            raise TypeError(f"progress must be a function, got {progress!r}")
        error = error_text()
        self._at = _task_new(error)
        if not self._at:
            raise MemoryError(error.value.decode())
        self._failure = None  # of the progress callback

        def told(_, fraction):
            try:
                progress(fraction)
            except BaseException as failure:  # through the engine nothing can be raised
                self._failure = self._failure or failure
                self.stop()

        self._progress = _Progress(told) if progress else None
        check(_task_set_threads(self._at, threads, error), error)
        if progress:
            _task_set_progress(self._at, self._progress, None)

    def __del__(self):
        if getattr(self, "_at", None) and _task_free:  # at the interpreter's end there may be no functions left
            _task_free(self._at)

    def stop(self):
        """Stops the operation that runs, from any thread; it raises KeyboardInterrupt."""
        _task_stop(self._at, True)

    def run(self, operation, arguments, room):
        """Runs an operation. Control-C stops it: the call is another thread's, since a signal waits for the call to end."""
        error, results = error_text(), (c_void_p * max(room, 1))()
        status, ended = [], threading.Event()

        def call():
            try:
                status.append(_run(operation.encode(), arguments, len(arguments), self._at, results, room, error))
            finally:
                ended.set()

        if threading.current_thread() is not threading.main_thread():
            call()
        else:
            thread = threading.Thread(target=call, name="esker", daemon=True)
            thread.start()
            try:
                ended.wait()
            except KeyboardInterrupt:
                self.stop()
                while not ended.is_set():  # what it works on must not be freed before; another interrupt changes nothing
                    with contextlib.suppress(KeyboardInterrupt):
                        ended.wait()
                _task_stop(self._at, False)
                for at in results:
                    free(at)
                raise
        if self._failure:
            failure, self._failure = self._failure, None
            _task_stop(self._at, False)
            for at in results:
                free(at)
            raise failure
        check(status[0], error)
        return list(results)


_current = threading.local()


def current_task():
    """The task of this thread."""
    if not getattr(_current, "tasks", None):
        _current.tasks = [Task()]
    return _current.tasks[-1]


@contextlib.contextmanager
def task(threads=0, progress=None):
    """Sets the number of threads (0: one per processor) and a function that is told the progress, 0 to 1, of each part of
    an operation.

    with esker.task(threads=2, progress=print):
        land = esker.noise(size=512).stream_erosion()
    """
    current_task()
    _current.tasks.append(Task(threads, progress))
    try:
        yield _current.tasks[-1]
    finally:
        _current.tasks.pop()

"""Runs a notebook from its first cell to its last: python3 notebook.py NOTEBOOK [--kernel]. Its pictures must be PNG files.

With --kernel as Jupyter does, in a process of its own, whose start takes seconds; else here, a cell's last value shown as
there.
"""

import ast
import base64
import json
import sys


def pictures_of_kernel(path):
    """The pictures that Jupyter shows."""
    import nbclient
    import nbformat

    notebook = nbformat.read(path, 4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    shown = [output.get("data", {}).get("image/png") for cell in notebook.cells for output in cell.get("outputs", [])]
    return [base64.b64decode(picture) for picture in shown if picture]


def pictures_here(path):
    """The pictures of the values that its cells end with."""
    names, pictures = {"__name__": "__main__"}, []
    with open(path, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        tree = ast.parse("".join(cell["source"]))
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else ast.Expression(ast.Constant(None))
        exec(compile(tree, path, "exec"), names)
        value = eval(compile(ast.fix_missing_locations(last), path, "eval"), names)
        if hasattr(value, "_repr_png_"):
            pictures.append(value._repr_png_())
    return pictures


found = (pictures_of_kernel if "--kernel" in sys.argv else pictures_here)(sys.argv[1])
assert all(picture.startswith(b"\x89PNG") for picture in found), "a picture is no PNG"
assert len(found) == 4, f"{len(found)} pictures"

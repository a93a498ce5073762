"""Runs a notebook from its first cell to its last: python3 notebook.py NOTEBOOK. Its pictures must be PNG files."""

import base64
import sys

import nbclient
import nbformat

notebook = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
pictures = 0
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        picture = output.get("data", {}).get("image/png")
        if picture:
            assert base64.b64decode(picture).startswith(b"\x89PNG"), "a picture is no PNG"
            pictures += 1
assert pictures == 4, f"{pictures} pictures"

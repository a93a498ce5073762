#!/bin/sh
# The tests of the wheel with the notebook in Jupyter, whose kernel takes seconds to start. Prints TAP.
NOTEBOOKS=yes exec sh "$(dirname "$0")/../python.sh"

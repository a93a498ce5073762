#!/bin/sh
# The server of `esker explore`, built with sanitizers, while broken and hostile clients ask it. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
pkg-config --exists libmicrohttpd || { echo "1..0 # SKIP there is no libmicrohttpd"; exit 0; }
make -s sanitized-program >/dev/null || { echo "Bail out! the program could not be built with sanitizers"; exit 1; }
exec env PYTHONPATH=tests/support python3 -B tests/long/explorer-attack.py build/sanitized/esker "${1:-1}"

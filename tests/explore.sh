#!/bin/sh
# The server of `esker explore`, asked over HTTP.
if ! pkg-config --exists libmicrohttpd; then
    echo "1..0 # SKIP there is no libmicrohttpd"
    exit 0
fi
exec /usr/bin/python3 -B tests/support/explore.py "${ESKER_BUILD:-build}"

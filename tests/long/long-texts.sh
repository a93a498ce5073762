#!/bin/sh
# Long texts of strangers, of 256 KiB each (tests/long-texts.sh). Prints TAP.
KIBIBYTES=256 exec sh "$(dirname "$0")/../long-texts.sh"

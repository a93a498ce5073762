# For shell tests, which source this file: results as TAP (tap.sh), the program in PATH, and an empty folder of the test's
# own, which is removed when it ends, as the current one. ROOT is the project's.
. "$(dirname "$0")/support/tap.sh"
ROOT=$(cd "$(dirname "$0")/.." && pwd)
PATH=$ROOT/${ESKER_BUILD:-build}:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

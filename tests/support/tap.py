"""For tests in Python, which import this module: results as TAP, and a folder that goes when the test ends."""

import atexit, shutil, sys, tempfile

folder = tempfile.mkdtemp()
atexit.register(shutil.rmtree, folder, True)
count = failures = 0


def check(name, well, seen=""):
    global count, failures
    count += 1
    failures += not well
    print("%s %d - %s" % ("ok" if well else "not ok", count, name), flush=True)
    if not well:
        print("# " + str(seen)[:4000].replace("\n", "\n# "), flush=True)


def end():
    print("1..%d" % count)
    sys.exit(failures > 0)

#!/usr/bin/env python3
"""The figures of `esker explore`: tiles a second of endless maps, milliseconds of a preview, memory; and, in headless Chromium
(explore-page-figures.mjs), the first picture, empty frames of a dive, and the size of the page.
scripts/explore-figures.py [BUILD] from the root of the repository."""

import atexit, glob, http.client, json, os, re, shutil, subprocess, sys, tempfile, threading, time

build = sys.argv[1] if len(sys.argv) > 1 else "build"


class Explorer:
    def __init__(self, recipe, *words):
        self.process = subprocess.Popen([build + "/esker", "explore", "--no-open", recipe, *words],
                                        stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.port, token = re.match(r"http://127\.0\.0\.1:(\d+)/\?t=(\w+)", self.process.stdout.readline()).groups()
        connection = self.connection()
        connection.request("GET", "/?t=" + token)
        self.cookie = connection.getresponse().getheader("Set-Cookie").split(";")[0]

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", int(self.port))

    def get(self, connection, path):
        connection.request("GET", path, headers={"Cookie": self.cookie})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        return body

    def run(self, connection, **asked):
        connection.request("POST", "/api/run", json.dumps(asked),
                           {"Cookie": self.cookie, "Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())

    def end(self):
        self.process.terminate()
        self.process.wait()

    def processes(self):
        """The lines of /proc/PID/stat of the server and its processes, behind the name, by PID."""
        found = {}
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                fields = open(path).read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if self.process.pid in (int(fields[1]), int(path.split("/")[2])):
                found[path.split("/")[2]] = fields
        return found

    def megabytes(self):
        """Memory of the server and its processes, what they share counted once."""
        total = 0
        for pid in self.processes():
            try:
                total += int(re.search(r"^Pss: +(\d+)", open("/proc/%s/smaps_rollup" % pid).read(), re.M).group(1))
            except OSError:
                continue
        return total / 1024

    def seconds(self):
        """Processor time of the server and its processes."""
        ticks = sum(int(fields[11]) + int(fields[12]) for fields in self.processes().values())
        return ticks / os.sysconf("SC_CLK_TCK")


def dive():
    """As many tiles as a dive to level 30 asks for: at each level those around a place."""
    place, tiles = 0.43685, []
    for level in range(3, 31):
        x, y = int(place * 2**level), int(0.5651 * 2**level)
        tiles += [(level, x + i, y + j) for i in (0, 1) for j in (0, 1) if x + i < 2**level and y + j < 2**level]
    return tiles


def pan():
    """Tiles side by side, which share the coarser land of the first."""
    return [(20, 458070 + i, 592551 + j) for j in range(8) for i in range(8)]


def tiles(land, wanted):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as recipe:
        recipe.write('return { map = esker.river_map{ seed = 7, land = "%s" } }' % land)
        recipe.flush()
        explorer = Explorer(recipe.name)
        connection = explorer.connection()
        world = json.loads(explorer.get(connection, "/api/state"))["results"][0]["world"]
        paths = ["/api/tile/%s/0/%d/%x/%x" % (world, *tile) for tile in wanted()]
        explorer.get(connection, paths[0])  # level 0 of eroded land, and the first worker
        spent = explorer.seconds()
        lock, began = threading.Lock(), time.time()
        rest = list(reversed(paths[1:]))

        def work():
            own = explorer.connection()
            while True:
                with lock:
                    if not rest:
                        return
                    path = rest.pop()
                explorer.get(own, path)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took, count = time.time() - began, len(paths) - 1
        spent = explorer.seconds() - spent
        print("%-9s %6.1f tiles of 256² a second in a %s, %.1f ms of processor time each, %d MB"
              % (land, count / took, wanted.__name__, 1000 * spent / count, explorer.megabytes()))
        explorer.end()


def preview(recipe, name, values, only):
    explorer = Explorer("examples/%s.lua" % recipe)
    connection = explorer.connection()
    explorer.get(connection, "/api/state")
    times, spent = [], explorer.seconds()
    for value in values:
        began = time.time()
        state = explorer.run(connection, params={name: value}, preview=256, only=only)
        assert not state.get("error"), state["error"]
        explorer.get(connection, "/api/picture/%d/%s.png?side=256" % (state["generation"], only))
        times.append(1000 * (time.time() - began))
    spent = 1000 * (explorer.seconds() - spent) / len(values)
    print("%-9s %6.1f ms for a preview where %s changes (%s), %.1f ms of processor time, %d MB"
          % (recipe, sorted(times)[len(times) // 2], name, only, spent, explorer.megabytes()))
    explorer.end()


def machine():
    """Its name and how busy it is: figures mean little without."""
    model = re.search(r"^model name\s*: (.*)", open("/proc/cpuinfo").read(), re.M)
    print("%s, %d processors, load %.1f" % (model.group(1) if model else "unknown", os.cpu_count(), os.getloadavg()[0]))


def page():
    playwright = os.path.abspath("build/vendor/playwright-core/index.mjs")
    missing = [name for name in ("node", "chromium") if not shutil.which(name)] + [playwright] * (not os.path.exists(playwright))
    if missing:
        print("no figures of the page: %s is missing" % missing[0])
    else:
        subprocess.run(["node", "scripts/explore-page-figures.mjs", os.path.abspath(build + "/esker"), playwright], check=True)


sys.stdout.reconfigure(line_buffering=True)
machine()
for land in ("raw", "eroded"):
    tiles(land, dive)
    tiles(land, pan)
preview("island", "talus", [9, 10, 11, 12, 13], "relief")
preview("fjords", "seed", [11, 12, 13, 14, 15], "zoom1")
preview("fjords", "seed", [11, 12, 13, 14, 15], "zoom16")
preview("watershed", "talus", [9, 10, 11, 12, 13], "relief")
page()

"""The server of `esker explore`, asked as browsers, other sites and broken clients would. Prints TAP."""

import atexit, gzip, http.client, json, math, os, re, shutil, signal, socket, struct, subprocess, sys, threading, time

from tap import check, end, folder

PATIENCE = 600 # seconds that an answer may take: the machine may be busy
build = os.path.abspath(sys.argv[1])
os.environ.setdefault("LUA_CPATH", build + "/?.so;;")


def write(name, text):
    path = os.path.join(folder, name)
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)
    return path


def children(pid):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(each) for each in listed.split()]


class Explorer:
    def __init__(self, recipe, *words):
        if "--time-limit" not in words:
            words += "--time-limit", str(PATIENCE)
        self.process = subprocess.Popen([build + "/esker", "explore", "--no-open", "-j2", recipe, *words],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.address = self.process.stdout.readline().strip()
        self.port, self.token = re.match(r"http://127\.0\.0\.1:(\d+)/\?t=(\w+)", self.address).groups()
        self.port = int(self.port)
        self.cookie = None
        headers = self.ask("/?t=" + self.token)[1]
        self.cookie, self.folder = headers["Set-Cookie"].split(";")[0], headers["Location"]

    def ask(self, path, method="GET", body=None, **headers):
        """Status, headers and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        own = {"Cookie": self.cookie} if self.cookie else {}
        if body is not None:
            own["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body)
        own.update({name.replace("_", "-"): value for name, value in headers.items()})
        connection.request(method, path, body, {name: value for name, value in own.items() if value is not None})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def get(self, path):
        status, _, body = self.ask(path)
        assert status == 200, (path, status, body)
        return body

    def state(self):
        return json.loads(self.get("/api/state"))

    def run(self, **asked):
        status, _, body = self.ask("/api/run", "POST", asked)
        return status, json.loads(body)

    def raw(self, text):
        """The first line of the answer to these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as client:
            try:
                client.sendall(text)
                client.shutdown(socket.SHUT_WR)
                return client.makefile("rb").readline()
            except OSError:
                return b""

    def works(self):
        return self.ask("/api/state")[0] == 200


whole = """local p = params{
    seed = { 7, doc = "the \\"first\\" <b>" },
    size = { default = 64, min = 16, max = 512 },
    land = { "raw", choices = { "raw", "eroded" } },
}
local height = esker.diamond_square{ size = p.size, seed = p.seed }
print("made", p.seed)
return { map = esker.river_map{ seed = p.seed, land = p.land }, height = height, relief = height:relief{},
    score = height:statistics{}.mean, mesh = height:mesh{},
    slope = esker.field{ size = p.size, values = function(x) return 1 + x end }, rivers = esker.river_map{ seed = 2, land = "raw" }:rivers{ size = 32 } }
"""
recipe = write("land.lua", whole)
explorer = Explorer(recipe)


def esker(*words):
    return subprocess.run([build + "/esker", *words], capture_output=True, text=True, cwd=folder)


# --- who may ask -------------------------------------------------------------------------------------------------

status, headers, _ = explorer.ask("/?t=" + explorer.token, Cookie=None)
check("the token gives a cookie and an address without it",
      status == 303 and re.fullmatch("/[0-9a-f]{32}/", headers["Location"]) and "HttpOnly; SameSite=Strict" in headers["Set-Cookie"],
      headers)
check("which browsers send to a folder alone that other servers do not know",
      "; Path=%s;" % headers["Location"] in headers["Set-Cookie"] and explorer.ask(explorer.folder + "api/state")[0] == 200
      and explorer.folder.strip("/") not in (explorer.token, explorer.cookie.split("=")[1]), headers)
check("where the cookie is asked for, too", explorer.ask(explorer.folder, Cookie=None)[0] == 403)
status, headers, body = explorer.ask("/?t=" + explorer.token, Cookie=None, Sec_Fetch_Site="cross-site")
check("to a browser that comes from a file, in a page", status == 200 and b"0; url=%s'" % explorer.folder.encode() in body and "Set-Cookie" in headers, headers)
check("but not for another site's script", explorer.ask("/?t=" + explorer.token, Cookie=None, Origin="http://evil.example")[0] == 403)
check("no cookie, no answer", explorer.ask("/api/state", Cookie=None)[0] == 403)
check("another token is refused", explorer.ask("/?t=" + "0" * 32, Cookie=None)[0] == 403)
check("half of it, too", explorer.ask("/?t=" + explorer.token[:16], Cookie=None)[0] == 403)
check("the token is no cookie", explorer.ask("/api/state", Cookie=explorer.cookie.split("=")[0] + "=" + explorer.token)[0] == 403)
check("the cookie among others", explorer.ask("/api/state", Cookie="a=1; %s; b=2" % explorer.cookie)[0] == 200)
for host in "evil.example", "evil.example:%d" % explorer.port, "127.0.0.1", "127.0.0.1:1", "":
    check("host '%s' is refused" % host, explorer.ask("/api/state", Host=host)[0] in (400, 421))
check("localhost is answered", explorer.ask("/api/state", Host="localhost:%d" % explorer.port)[0] == 200)
for origin in "http://evil.example", "null", "https://127.0.0.1:%d" % explorer.port, "http://127.0.0.1:1":
    check("origin %s is refused" % origin, explorer.ask("/api/state", Origin=origin)[0] == 403)
check("the own origin is not", explorer.ask("/api/state", Origin="http://127.0.0.1:%d" % explorer.port)[0] == 200)
for site in "cross-site", "same-site":
    check("a request from %s is refused" % site, explorer.ask("/api/state", Sec_Fetch_Site=site)[0] == 403)
for method in "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE":
    check(method + " is refused", explorer.ask("/api/state", method)[0] == 405)
for kind in "text/plain", "application/jsonfoo", "application/json+x", "":
    check("a form of %s is refused" % kind, explorer.ask("/api/run", "POST", {}, Content_Type=kind)[0] == 415)
check("JSON with a character set is not", explorer.ask("/api/complete", "POST", {}, Content_Type="application/json; charset=utf-8")[0] == 404)
check("a body that is too large is refused before it comes",
      b" 413 " in explorer.raw(("POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\nContent-Type: application/json\r\n"
                               "Content-Length: 99999999\r\n\r\n" % (explorer.port, explorer.cookie)).encode()))
check("a body without a length, too",
      b" 411 " in explorer.raw(("POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\nContent-Type: application/json\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" % (explorer.port, explorer.cookie)).encode()))
check("a body of GET, too", explorer.ask("/api/state", body={})[0] == 413)
twice = "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\nContent-Type: application/json\r\n%s\r\n\r\n0\r\n\r\n"
for method in "POST /api/run", "GET /api/state":
    for both in ("Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5",
                 "Transfer-Encoding : chunked", "Content-Length : 5", "Content-Length\t: 5"):
        line = explorer.raw((twice % (method, explorer.port, explorer.cookie, both)).encode())
        check("%s with a length and Transfer-Encoding is refused" % method, b" 400 " in line, line)
check("so is a body of GET in parts", b" 413 " in explorer.raw(
    (twice % ("GET /api/state", explorer.port, explorer.cookie, "Transfer-Encoding: chunked")).encode()))
for path, wanted in ("/", 200), ("/api/state", 200), ("/nothing", 404), ("/api/state", 403):
    headers = explorer.ask(path, Cookie=None if wanted == 403 else explorer.cookie)[1]
    lacks = [name for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cache-Control",
                               "Cross-Origin-Resource-Policy") if name not in headers]
    check("%s with %d has all headers" % (path, wanted), not lacks and "unsafe" not in headers["Content-Security-Policy"], lacks)

# --- the browser -------------------------------------------------------------------------------------------------

os.makedirs(folder + "/bin")
opener = folder + "/bin/xdg-open"
write("bin/xdg-open", """#!/bin/sh
printf '%%s' "$*" >"%s/bin/words.new" && mv "%s/bin/words.new" "%s/bin/words"
""" % (folder, folder, folder))
os.chmod(opener, 0o755)


def opened():
    """An explorer that opens a browser, what that was given, and what is in it."""
    environment = dict(os.environ, DISPLAY=":0", PATH=folder + "/bin:" + os.environ["PATH"], XDG_RUNTIME_DIR=folder)
    program = subprocess.Popen([build + "/esker", "explore", "-j1", recipe], stdout=subprocess.PIPE, env=environment, text=True)
    atexit.register(program.kill)
    address = program.stdout.readline().strip()
    while not os.path.exists(folder + "/bin/words"):
        subprocess.run(["sleep", "0.05"])
    with open(folder + "/bin/words") as file:
        words = file.read()
    os.remove(folder + "/bin/words")
    return program, address, words


program, address, words = opened()
token = address.split("t=")[1]
check("no program's words hold the token", token not in words and words.startswith(folder), words)
if os.path.exists(words):
    check("a file of the user alone does", token in open(words).read() and os.stat(words).st_mode & 0o777 == 0o600
          and os.stat(os.path.dirname(words)).st_mode & 0o777 == 0o700)
    client = http.client.HTTPConnection("127.0.0.1", int(re.search(r":(\d+)/", address)[1]), timeout=PATIENCE)
    client.request("GET", "/?t=" + token)
    check("which is gone once it has served", client.getresponse().status == 303 and not os.path.exists(os.path.dirname(words)))
program.send_signal(signal.SIGINT)
program.wait(PATIENCE)
program, address, words = opened()
client = http.client.HTTPConnection("127.0.0.1", int(re.search(r":(\d+)/", address)[1]), timeout=PATIENCE)
client.request("GET", "/")
client.getresponse() # it serves
program.send_signal(signal.SIGINT)
program.wait(PATIENCE)
check("and at the end, if it has not", not os.path.exists(os.path.dirname(words)) or os.path.dirname(words) == "", words)
shutil.rmtree(folder + "/bin")

# --- what is answered --------------------------------------------------------------------------------------------

state = explorer.state()
results = {result["name"]: result for result in state["results"]}
world, generation = results["map"]["world"], state["generation"]
check("results are as in the recipe's text", [result["name"] for result in state["results"]]
      == ["map", "height", "relief", "score", "mesh", "slope", "rivers"], state["results"])
check("so are parameters", [param["name"] for param in state["params"]] == ["seed", "size", "land"], state["params"])
check("they are declared", state["params"][1] == {"name": "size", "kind": "integer", "default": 64, "low": 16, "high": 512,
                                                "value": 64}, state["params"])
check("what the recipe prints is there", state["log"] == "made\t7\n", state["log"])
check("palettes are there", state["palettes"]["grey"][0] == [-1, 0, 0, 0] or len(state["palettes"]) > 3)

bare = subprocess.run(["lua5.4", "-"], stdout=subprocess.PIPE, check=True, input=b"""
local esker = require "esker"
for _, land in ipairs{ "raw", "eroded" } do
    local map = esker.river_map{ seed = 7, land = land }
    for _, case in ipairs{ { 0, 0, 0 }, { 1, 1, 0 }, { 6, 13, 40 }, { 20, 458093, 592602 } } do -- the last: its first cell is the highest
        local z, x, y = table.unpack(case)
        local window = { x = ("%.40f"):format((x + 0.5) / 2 ^ z), y = ("%.40f"):format((y + 0.5) / 2 ^ z), zoom = 2.0 ^ z,
            size = 64, relative = true, border = 1 }
        local altitude, river = map:render(window)
        io.write(("<I4I4I4I4I4"):pack(z, x, y, altitude.width, altitude.height), altitude:bytes(), river:bytes())
    end
end""").stdout


def quantized(altitude, width, height, x, y, side):
    """As in the interface: the last cell is repeated where the map ends."""
    low, high = min(altitude), max(altitude)
    left, top = (0 if x == 0 else 1), (0 if y == 0 else 1)
    cells = []
    for row in range(-1, side + 1):
        for column in range(-1, side + 1):
            at = min(max(row + top, 0), height - 1) * width + min(max(column + left, 0), width - 1)
            cells.append(at)
    return low, high, cells


at = 0
for land in "raw", "eroded":
    _, made = explorer.run(params={"land": land})
    world = made["results"][0]["world"]
    well, wrong = 0, []
    while at < len(bare) and well + len(wrong) < 4:
        z, x, y, width, height = struct.unpack_from("<IIIII", bare, at)
        altitude = struct.unpack_from("<%df" % (width * height), bare, at + 20)
        river = struct.unpack_from("<%df" % (width * height), bare, at + 20 + 4 * width * height)
        at += 20 + 8 * width * height
        tile = explorer.get("/api/tile/%s/0/%d/%x/%x?size=64" % (world, z, x, y))
        low, high, cells = quantized(altitude, width, height, x, y, 64)
        scale = 65535 / (high - low)
        wanted = struct.pack("<4sIIIII2d", b"ESKT", 1, 64, 1, 1, 0, low, high)
        heights = struct.pack("<%dH" % len(cells), *[int(min(max((altitude[i] - low) * scale + 0.5, 0), 65535)) for i in cells])
        water = bytes(int(min(max(river[i], 0), 1) * 255 + 0.5) for i in cells)
        if tile[:40] == wanted and tile[56:] == heights + water:
            well += 1
        else:
            wrong.append((z, x, y, tile[:40] == wanted))
    check("tiles of %s land are what render draws" % land, well == 4, wrong)
centre = [struct.unpack_from("<dd", explorer.get("/api/tile/%s/0/%d/%x/%x?size=64" % (world, z, 13 >> (5 - z), 11 >> (5 - z))), 40)
          for z in range(0, 6)]
check("a tile says how far it lies above its parent", centre[0][1] == 0 and all(
    abs(centre[z][0] - centre[z - 1][0] - centre[z][1]) < 1e-12 for z in range(1, 6)), centre)
cells = explorer.get("/api/cells/%d/height?side=16" % generation)
check("cells are reduced by a whole factor", cells[:12] == b"ESKF" + struct.pack("<II", 16, 16) and len(cells) == 20 + 4 * 256)
check("pictures are PNG", explorer.get("/api/picture/%d/relief.png" % generation)[:8] == b"\x89PNG\r\n\x1a\n")


def lines_of(path):
    """Lists of points of each line, and the points."""
    packed = explorer.get(path)
    name, version, width, height, lines, count = struct.unpack_from("<4s5I", packed)
    assert (name, version, len(packed)) == (b"ESKL", 1, 24 + 16 * lines + 20 * count)
    return (width, height), [struct.unpack_from("<4I", packed, 24 + 16 * i) for i in range(lines)], [
        struct.unpack_from("<5f", packed, 24 + 16 * lines + 20 * i) for i in range(count)]


bare = subprocess.run(["lua5.4", "-"], stdout=subprocess.PIPE, check=True, input=b"""
local esker = require "esker"
local rivers = esker.river_map{ seed = 7, land = "eroded" }:rivers{ x = 0.40625, y = 0.59375, zoom = 16, size = 64 }
for _, reach in ipairs(rivers:reaches()) do
    io.write(("<I4I4I4"):pack(#reach, reach.order, reach.mouth and 1 or 0))
    for _, point in ipairs(reach) do
        io.write(("<fffff"):pack(point.x, point.y, point.altitude, point.width, point.discharge))
    end
end""").stdout
for path, wanted_size in ("/api/lines/%s?z=4&x=6&y=9&size=64" % world, 64), ("/api/lines/%d/rivers" % generation, 32):
    size, lines, points = lines_of(path)
    packed = b"".join(struct.pack("<III", *line[1:]) + b"".join(struct.pack("<5f", *point) for point in points[line[0]:line[0] + line[1]])
                      for line in lines)
    check("%s are lines of points" % path.split("?")[0].split("/")[-1], size == (wanted_size, wanted_size) and points,
          (size, len(lines)))
    if wanted_size == 64:
        check("rivers of a tile are those of the map", packed == bare, (len(packed), len(bare)))
counts = struct.unpack_from("<4s6I8f", explorer.get("/api/mesh/%d/mesh" % generation))
check("a mesh has its points and triangles", counts == (b"ESKM", 1, 64 * 64, 2 * 63 * 63, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1), counts)
for path in "/api/lines/%d/height" % generation, "/api/mesh/%d/height" % generation, "/api/cells/%d/mesh" % generation:
    check("there is no %s" % "/".join(path.split("/")[1:3]), explorer.ask(path)[0] == 404)
place = json.loads(explorer.get("/api/at/%s?x=0.43685&y=0.5651&zoom=10" % world))
check("a place has altitude, slope and drained area", {"altitude", "slope", "drained", "river"} <= set(place), place)
same = json.loads(explorer.get("/api/at/%s?x=0x6fd566cf41f214p-56&y=0x.90aa64c2f837b8&zoom=10" % world))
check("which hexadecimal digits name as well", {**same, "altitude": 0} == {**place, "altitude": 0} and
      abs(same["altitude"] - place["altitude"]) < 1e-9, (same, place))
status, _, body = explorer.ask("/api/at/%s?x=0x.8g" % world)
check("what is no place is refused", (status, json.loads(body)["error"]) ==
      (400, "x and y must be numbers from 0 to 1, of at most 120 digits (0.25, 0x.4), got '0x.8g'"), body)
place = json.loads(explorer.get("/api/at/%d/height?x=0.5&y=0.5" % generation))
check("a field's place, too, and where its water goes", set(place) == {"altitude", "slope", "drained", "river", "basin"}
      and place["basin"]["drained"] >= place["drained"] > 0, place)
place = json.loads(explorer.get("/api/at/%d/slope?x=0.6&y=0.3" % generation))
check("which is downhill, at the border", place["basin"] == {"x": 0.5 / 64, "y": 19.5 / 64, "drained": 1 / 64, "distance": 38 / 64}
      and place["drained"] == 26 / 4096, place)
check("and as steep as gradient_angle says", abs(place["slope"] - math.degrees(math.atan(64 / 16))) < 1e-4, place)
check("an export is a file", "attachment; filename=\"height.r16\"" in
      explorer.ask("/api/export?result=height&format=r16")[1]["Content-Disposition"])
raw, facts = explorer.get("/api/export?result=slope&format=r16"), json.loads(explorer.get("/api/export?result=slope&format=r16&beside=1"))
check("what tells how raw numbers are to be read is another",
      len(raw) == 2 * 64 * 64 and (facts["file"], facts["width"], facts["height"], facts["type"], facts["low"], facts["high"])
      == ("slope.r16", 64, 64, "uint16", 1, 64), facts)
facts = json.loads(explorer.get("/api/export?result=map&format=r32&size=128&beside=1&x=0.5&y=0.45&zoom=30"))
check("of a map's window, too", facts["type"] == "float32" and facts["width"] == 128, facts)
bare = subprocess.run(["lua5.4", "-"], stdout=subprocess.PIPE, check=True, input=b"""
local esker = require "esker"
for _, window in ipairs{ { "0.5", "0.45", 30 }, { "0.43685", "0.5651", 2.5 }, { 0.5, 0.5, 1 }, { "0.5", "0.45", 250 }, { "0.4321098765432109876543", "0.7", 1e20 } } do
    local map = esker.river_map{ seed = 7, land = window[3] == 1e20 and "raw" or "eroded" }
    io.write(map:render({ x = window[1], y = window[2], zoom = window[3], size = 64 }):bytes())
end""").stdout
for i, window in enumerate(("x=0.5&y=0.45&zoom=30", "x=0.43685&y=0.5651&zoom=2.5", "x=0.4&y=0.7&zoom=0.6", "x=0.5&y=0.45&zoom=250",
                            "x=0.4321098765432109876543&y=0.7&zoom=1e20")):
    if "e20" in window:
        explorer.run(params={"land": "raw"}) # eroded land is dear so deep
    made = explorer.get("/api/export?result=map&format=npy&size=64&" + window)
    check("an export of a map with %s is that window" % window, made[-16384:] == bare[16384 * i:16384 * (i + 1)], len(made))
for window in "x=1&y=0.45&zoom=1e20", "x=0.3&y=0&zoom=1e20", "x=1&y=0&zoom=12", "x=0.99999999999999999999999999&y=0.5&zoom=1e20", "x=0.5&y=0.5&zoom=4e24":
    check("so is one at the border or the end, %s" % window, explorer.get("/api/export?result=map&format=npy&size=64&" + window)[:6] == b"\x93NUMPY")
world = explorer.run(params={"land": "eroded"})[1]["results"][0]["world"]
place = [json.loads(explorer.get("/api/at/%s?x=0.43685&y=0.5651&zoom=%s" % (world, zoom)))["altitude"] for zoom in ("3", "3000", "1e6")]
check("a place is the same at any zoom", max(place[1:]) - min(place[1:]) < 0.02, place)
pixel = 3e6 / (3 * 16 * 16) # in metres
check("but for new detail, less than a pixel high", abs(place[0] - place[-1]) < pixel, place)
explorer.run(params={"land": "raw"}) # whole windows of eroded land take seconds
for kind, first in ("obj", b""), ("glb", b"glTF"), ("png", b"\x89PNG"), ("r16", b""):
    status, _, made = explorer.ask("/api/export?result=map&format=%s&x=0.5&y=0.45&zoom=30" % kind)
    check("a map's window fits as " + kind, status == 200 and made.startswith(first), made[:300])
made = [explorer.get("/api/export?result=height&format=" + kind) for kind in ("png", "png16")]
check("a PNG is a picture, or holds 16 bits of heights", [made[0][24], made[1][24:26]] == [8, b"\x10\0"], [each[:40] for each in made])
status, _, made = explorer.ask("/api/export?result=rivers&format=gpkg")
check("a GeoPackage's layer is named by the result", b"needs" in made if status != 200 else b"rivers" in made and b"file" not in made, made[:200])
status, _, made = explorer.ask("/api/export?result=score&format=png")
check("a number is saved in no file", (status, made) == (404, b'{"error":"that is saved in no file"}'), made)
explorer.run(text='return { globe = esker.river_map{ seed = 2, tiling = "sphere", land = "raw" } }', params={})
for kind in "png", "r16", "obj", "glb":
    status, _, made = explorer.ask("/api/export?result=globe&format=%s&face=1&size=128&x=0.5&y=0.45&zoom=30" % kind)
    check("a globe's, too, as " + kind, status == 200, made[:300])
_, made = explorer.run(text=whole, params={"land": "eroded"})
world, generation = made["results"][0]["world"], made["generation"]
check("completion", {"label": "esker.spectral"} in json.loads(explorer.get("/api/complete?line=esker.spec"))["completions"]
      or {"label": "spectral"} in json.loads(explorer.get("/api/complete?line=esker.spec"))["completions"],
      explorer.get("/api/complete?line=esker.spec"))
made = json.loads(explorer.get("/api/complete?line=" + "land:thermal_"))["completions"]
check("completion after a value that is not known", made == [{"label": "thermal_erosion", "detail": "field"}], made)
status, _, made = explorer.ask("/api/export?result=height&format=tif")
check("an export that needs a library", made[:2] == b"II" if status == 200 else b"needs GDAL" in made, made[:200])
status, _, made = explorer.ask("/api/export?result=height&format=geojson")
check("an error has no places of esker's own", status == 422 and json.loads(made)["error"].startswith("save: "), made)
check("help", "spectral" in json.loads(explorer.get("/api/help?word=spectral"))["text"])
_, made = explorer.run(params={"seed": 3, "size": 512}, preview=128, only="height")
check("a preview is smaller", [result["width"] for result in made["results"] if result["name"] == "height"] == [128], made["results"])
check("save writes a recipe with these defaults",
      explorer.ask("/api/save", "POST", {"params": {"seed": 5, "land": "eroded", "size": 32}})[0] == 200
      and '{ 5, doc' in open(folder + "/land-2.lua").read() and 'default = 32' in open(folder + "/land-2.lua").read()
      and '{ "eroded", choices' in open(folder + "/land-2.lua").read())
status, _, body = explorer.ask("/api/save", "POST", {"params": {"seed": "9007199254740993"}, "path": "long.lua"})
check("save keeps all digits of a seed that is sent as a text", status == 200 and "{ 9007199254740993, doc" in open(folder + "/long.lua").read(), body)
os.remove(folder + "/long.lua")
_, made = explorer.run(params={"seed": "9007199254740993"})
check("a value that doubles do not hold is its digits", [param["value"] for param in made["params"] if param["name"] == "seed"] == ["9007199254740993"], made["params"])
asked = {"text": "return { m = esker.river_map{} }", "result": "m"}
status, _, body = explorer.ask("/api/edits", "POST", asked)
check("a text gets a block for edits", status == 200 and json.loads(body)["name"] == "m"
      and "\n-- Edits of m, one a line\n-- End of edits\n" in json.loads(body)["text"], body)
check("unless it is not clear of what", [explorer.ask("/api/edits", "POST", {**asked, **wrong})[0] for wrong in (
    {"text": "return 1"}, {"result": 5}, {"result": "m" * 200}, {"text": 5})] == [409, 400, 400, 400])
check("and nothing over another file", explorer.ask("/api/save", "POST", {"path": "land-2.lua"})[0] == 409
      and explorer.ask("/api/save", "POST", {"path": "../x.lua"})[0] == 409)

declared = """-- params{ max = 1 }
local p = params{ hills = { 3, min = 1, max = 10 }, text = "params{ max = 2 }", twice = 2 * 3,
    max = { 5, doc = [[max = 4}]], min = 1 }, deep = { doc = (function() local a, min = 1, 2 return "" end)(), min = -9, default = -2.5e-1 },
    ["a%"] = 'it''s' }
return { score = p.max }
""".replace("it''s", "it\\'s")
for params, old, new in ({"max": 8}, "{ 5, doc", "{ 8, doc"), ({"deep": -1}, "-2.5e-1", "-1"), ({"hills": 4}, "{ 3,", "{ 4,"), \
        ({"a%": "new"}, "'it\\'s'", '"new"'):
    status, _, body = explorer.ask("/api/save", "POST", {"text": declared, "params": params, "path": "saved.lua"})
    check("save changes the default of %s alone" % list(params), status == 200
          and open(folder + "/saved.lua").read() == declared.replace(old, new), (status, body))
    if status == 200:
        os.remove(folder + "/saved.lua")
status, _, body = explorer.ask("/api/save", "POST", {"text": declared, "params": {"a%": "new", "deep": -1, "hills": 4, "max": 8}, "path": "saved.lua"})
check("and of several", status == 200 and open(folder + "/saved.lua").read() == declared.replace("{ 5, doc", "{ 8, doc").replace("-2.5e-1", "-1")
      .replace("{ 3,", "{ 4,").replace("'it\\'s'", '"new"'), (status, body))
os.remove(folder + "/saved.lua")
for text, name in (declared, "twice"), (declared, "min"), (declared, "a"), ("local t = { a = 1 } params(t)", "a"), \
        ("params{ a = 1 } params{ a = 2 }", "a"), ("params{ a = 1", "a"), ("params{ [k] = 1, a = { [k] = 2, 3 } }", "a"):
    status, _, body = explorer.ask("/api/save", "POST", {"text": text, "params": {name: 8}, "path": "saved.lua"})
    check("save refuses what is not found for sure: %s in %s" % (name, text[:20]), status == 409 and b"cannot be changed there" in body, body)
os.symlink("nowhere.lua", folder + "/link.lua")
check("nor over a link that leads nowhere", explorer.ask("/api/save", "POST", {"path": "link.lua"})[0] == 409 and os.path.islink(folder + "/link.lua"))
os.remove(folder + "/link.lua")
status, _, body = explorer.ask("/api/lines/%d/map" % generation)
check("lines of a map are asked for by tile", status == 404 and b"tile" in body, body)

# --- what is too much --------------------------------------------------------------------------------------------

_, made = explorer.run(text="local t = {} for i = 1, 5000 do t['n' .. i] = i end return t", params={})
check("of many results the first 1,000 are shown, and it is told", len(made["results"]) == 1000
      and "5000 results" in made["error"]["message"], (len(made["results"]), made["error"]))
_, made = explorer.run(text="return { text = ('x'):rep(1e6) }", params={})
check("a long text is cut", len(made["results"][0]["value"]) < 10100, len(made["results"][0]["value"]))
status, _, body = explorer.ask("/api/run", "POST", {"params": {"a%d" % i: 1 for i in range(300)}})
check("more parameters than a recipe may declare are refused", status == 400 and b"at most 200" in body, (status, body[:200]))
status, _, body = explorer.ask("/api/run", "POST", {"params": {"a": "x" * 5000}})
check("so are long values", status == 400 and b"bytes" in body, (status, body[:200]))
world = explorer.run(text=whole, params={"land": "eroded"})[1]["results"][0]["world"]

# --- what is computed --------------------------------------------------------------------------------------------

lazy = """local p = params{ seed = 1, more = 1 }
local a = esker.diamond_square{ size = 32, seed = p.seed }
local b = a * p.more
local c = a:perturb{ seed = 3 }
a:set(0, 0, 5)
local d, list = a * p.more, {}
for i = 1, 2 do
    list.seed = i
    list[i] = esker.spectral(list and { size = 32, seed = list.seed })
end
local play = c:playability{}
return { a = a, b = b, c = c, d = d, e = list[1] - list[2], f = play.units, bad = a:crop{ wrap = false, x = 30, width = 30 },
    score = play.suitability }
"""
made = explorer.run(params={})[1]
more = json.loads(explorer.get("/api/result/%d/height" % made["generation"]))
check("a result that is not looked at is described when it is asked for", "width" not in made["results"][1] and more["width"] == 64, made)
_, first = explorer.run(text=lazy, params={}, only="c")
check("a result that is not looked at is not computed", not first["error"] and len(first["results"]) == 8, first["error"])
_, made = explorer.run(text=lazy, params={}, only="bad")
check("one that is has its error at its line", made["error"] and made["error"].get("line") == 12, made["error"])
_, made = explorer.run(text="""local a = esker.diamond_square{ size = 32 }
local well, problem = pcall(function() return a:resize{ width = 1e9 } end)
local also = xpcall(a.resize, function() end, a, { width = 1e9 })
return { well = well, also = also, problem = problem, same = pcall(error, "x"), b = a:resize{ width = 16, height = 16 } }""",
                      params={}, only="b")
values = {result["name"]: result.get("value") for result in made["results"]}
check("pcall sees the errors of operations", not made["error"] and values["well"] == values["also"] == values["same"] == "false"
      and "width" in values["problem"], made["error"] or values)
lazy = lazy.replace("x = 30, width = 30", "width = 16")
_, second = explorer.run(text=lazy, params={"more": 2}, only="c")
_, third = explorer.run(text=lazy, params={"more": 3}, only="b")
check("what did not change is not computed again", first["computed"] >= 3 and 0 < third["computed"] <= first["computed"] - 1,
      [each.get("computed") for each in (first, second, third)])
for made, more in (second, 2), (third, 3), (explorer.run(text=lazy, params={"more": 2}, only="c")[1], 2):
    wanted = subprocess.run(["lua5.4", "-"], stdout=subprocess.PIPE, check=True, input=(
        'esker = require "esker" params = function(p) p.more = %d return p end local results = (function() %s end)()\n'
        'for _, name in ipairs{ "a", "b", "c", "d", "e", "f", "bad" } do io.write(results[name]:bytes()) end'
        % (more, lazy)).encode()).stdout
    seen = b"".join(explorer.get("/api/cells/%d/%s?side=64" % (made["generation"], name))[20:]
                    for name in ("a", "b", "c", "d", "e", "f", "bad"))
    check("and results are those of a plain run, with more = %d" % more, seen == wanted, (len(seen), len(wanted)))

functions = """local function land(seed)
    return function()
        print("made", seed)
        return esker.spectral{ size = 32, seed = seed }:normalize() * (1 + esker.shape{ size = 32 }:statistics().max)
    end
end
return { a = land(1), b = land(2), c = function() return 5 end }"""
_, first = explorer.run(text=functions, params={})
_, made = explorer.run(text=functions, params={}, only="b")
check("a result that a function gives is made when it is looked at",
      [result["kind"] for result in first["results"]] == ["field", "later", "later"]
      and [result["kind"] for result in made["results"]] == ["field", "field", "later"] and made["log"] == "made\t1\nmade\t2\n"
      and json.loads(explorer.get("/api/result/%d/c" % made["generation"]))["value"] == 5, (first, made))

explorer.run(text=open(recipe).read(), params={})

# --- bad requests ------------------------------------------------------------------------------------------------

bad = ["/api", "/api/", "/api/nothing", "/api/tile", "/api/tile/x/0/0/0/0", "/api/tile/%s/7/0/0/0" % world,
       "/api/tile/%s/0/3/8/0" % world, "/api/tile/%s/0/3/00/0" % world, "/api/tile/%s/0/-1/0/0" % world,
       "/api/tile/%s/0/3/A/0" % world, "/api/tile/%s/0/99/0/0" % world, "/api/tile/%s/1/0/0/0" % world,
       "/api/tile/%s/0/0/0/0?size=0" % world, "/api/tile/%s/0/0/0/0?size=1e9" % world, "/api/cells/0/height",
       "/api/cells/%d/nothing" % generation, "/api/cells/%d/relief" % generation, "/api/picture/%d/score.png" % generation,
       "/api/at/%s?x=2" % world, "/api/at/%s?zoom=0" % world, "/api/at/%s?zoom=-1" % world, "/api/export?result=map&zoom=1e999",
       "/api/export?result=map&zoom=x", "/api/at/%s?x=a&y=b" % world, "/api/at/nothing", "/api/export?result=height&format=../x",
       "/api/export?result=nothing", "/api/cells/1e400/height", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/a%00b", "/%",
       "/api/tile/%s/0/3/%s/0" % (world, "f" * 2000), "/api/lines/%d/height" % generation, "/api/state/"]
answers = [(path[:60], explorer.ask(path)[0]) for path in bad]
wrong = [each for each in answers if not (400 <= each[1] < 500 or each[0] == "/api/state/")]
check("each bad path has an answer of its own", not wrong, wrong)
bodies = [b"", b"{", b"[]", b"null", b'{"params": 3}', b'{"params": {"seed": {}}}', b'{"params": {"sead": 1}}', b'{"text": 5}',
          b"[" * 100000, b'{"params": {"seed": 1e999}}', b'"\\ud800"', b'{"preview": "x", "params": {"size": "y"}}']
answers = [(body[:30], explorer.ask("/api/run", "POST", body)[0]) for body in bodies]
check("so has each bad body", all(status in (200, 400) for _, status in answers), answers)
lines = [b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0" * 100 + b"\r\n\r\n", b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
         b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 100000 + b"\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"]
answers = [explorer.raw(line) for line in lines]
check("what is no request at all is refused", not any(b" 200 " in line for line in answers) and explorer.works(), answers)

slow = []


def answers_beside_slow_clients():
    for _ in range(300): # more than there may be connections
        slow.append(socket.create_connection(("127.0.0.1", explorer.port)))
        slow[-1].sendall(b"GET /api/state HT")
    began = time.monotonic()
    return explorer.works() and time.monotonic() - began < 15 # one alone may take 20 seconds


# Again where the machine was too busy for an answer.
check("slow clients harm nobody", any(answers_beside_slow_clients() for _ in range(3)))
crowd = []
for _ in range(200):
    crowd.append(socket.create_connection(("127.0.0.1", explorer.port)))
for client in slow + crowd:
    client.close()
check("nor do many", explorer.works())
for i in range(50):
    with socket.create_connection(("127.0.0.1", explorer.port), timeout=PATIENCE) as client:
        client.sendall(("GET /api/tile/%s/0/20/%x/0?size=16 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\n\r\n"
                        % (world, i, explorer.port, explorer.cookie)).encode())
for _ in range(6): # the same by several, some of whom go
    ask = ("GET /api/tile/%s/0/21/1/0?size=128 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\n\r\n"
           % (world, explorer.port, explorer.cookie)).encode()
    with socket.create_connection(("127.0.0.1", explorer.port), timeout=PATIENCE) as stays:
        stays.sendall(ask)
        with socket.create_connection(("127.0.0.1", explorer.port), timeout=PATIENCE) as goes:
            goes.sendall(ask)
        shared = stays.makefile("rb").readline()
check("a tile that several want comes to those who stay", b" 200 " in shared, shared)
check("nor do many that ask and go", explorer.works() and explorer.ask("/api/tile/%s/0/0/0/0?size=16" % world)[0] == 200)

# --- recipes that fail -------------------------------------------------------------------------------------------

_, made = explorer.run(text="local a = 1\nerror('<b>broken')\n", params={})
check("an error has its line", made["error"]["line"] == 2 and "<b>broken" in made["error"]["message"], made["error"])
check("and the last results stay", [result["name"] for result in made["results"]][:2] == ["map", "height"], made["results"])
_, made = explorer.run(text="return {}", params={})
check("nothing to draw is an error", "empty" in made["error"]["message"], made["error"])
_, made = explorer.run(text="return { a = ", params={})
check("so is half a recipe", made["error"]["line"] == 1, made["error"])
little = Explorer(write("little.lua", "return { n = 1 }"), "--memory-limit", "160") # which is sooner full than the usual one
_, made = little.run(text="local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end", params={})
check("so is too much memory", "memory" in made["error"]["message"], made["error"])
little.process.kill()
os.remove(os.path.join(folder, "little.lua"))


def supersede(explorer, **asked):
    """The status of a run that loops, and the answer to one that is asked for while it begins."""
    connection = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=PATIENCE)
    connection.request("POST", "/api/run", json.dumps({"text": "while true do end", "params": {}}),
                       {"Cookie": explorer.cookie, "Content-Type": "application/json"})
    newer = explorer.run(**asked)
    return connection.getresponse().status, *newer


signal.alarm(PATIENCE // 4) # ends this test: a run that was not stopped loops until the time limit
told, status, made = supersede(explorer, text=open(recipe).read(), params={"seed": 8})
check("a newer run takes the place of one that loops", status == 200 and not made["error"] and made["params"][0]["value"] == 8, made)
check("which is told", told == 409)
stopped = 0
for _ in range(8):
    young = Explorer(recipe)
    for _ in range(4):
        told, status, made = supersede(young, text="return { s = 1 }", params={})
        stopped += told == 409 and status == 200
    young.process.kill()
signal.alarm(0)
check("whether it has begun or not", stopped == 32, stopped)



def busy(page, seed, text="local p = params{ seed = 1 } local s = 0 for i = 1, 1e7 do s = s + i % 7 end return { s = p.seed }"):
    connection = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=PATIENCE)
    connection.request("POST", "/api/run", json.dumps({"page": page, "text": text, "params": {"seed": seed}}),
                       {"Cookie": explorer.cookie, "Content-Type": "application/json"})
    return connection


explorer.run(page="another", text=open(recipe).read(), params={"seed": 99})
state = explorer.state()
check("a new page begins with no other page's values", state["values"] == {} and state["params"][0]["value"] == 7, state["values"])
check("though that one has run its own text", explorer.run(page="another", text="return { a = 1 }", params={})[0] == 200
      and explorer.state()["recipe"]["text"] == open(recipe).read())
ended = Explorer(write("ends.lua", "return { forever = function() while true do end end, land = esker.spectral{ size = 32 } }"), "--time-limit", "1")
state = ended.state()
check("a result that loops for ever does not hide the others", [each["name"] for each in state["results"]] == ["forever", "land"]
      and re.match("forever: .*time limit", state["error"]["message"]), state)
_, made = ended.run(only="land")
check("which can be looked at", not made["error"] and made["results"][1]["width"] == 32, made)
for wrong, told in ("a:blur{ sigma = -1 }", "ends.lua:2: blur: sigma must be "), ("a:blur{ sigme = 1 }", "unknown argument 'sigme'"), \
        ("a:blend(3)", "must be "), ("a:thermal_erosion{ mask = 5 }", "mask must be"), ("esker.spectral{ size = 0 }", "size must be"), \
        ("a:thermal_erosion{ mask = a:blur{ sigma = 'x' } }", "sigma must be"), ("a:relief{ palette = 'nothing' }", "palette"):
    _, made = ended.run(text="local a = esker.spectral{ size = 32 }\nreturn { a = a, wrong = %s }" % wrong, params={}, only="a")
    check("a wrong argument of what is not looked at is told: " + wrong, made["error"] and told in made["error"]["message"], made["error"])
_, made = ended.run(text="local a = esker.spectral{ size = 32 }\nreturn { a = a, b = a:blur{ sigma = 0.1 }:thermal_erosion{ mask = a:blur() }, "
                       "c = -a, e = a:warp(a:blur(), a:blur()) }", params={}, only="a")
check("right ones are computed where they are looked at, no sooner", not made["error"] and made["computed"] <= 2, made)
ended.process.kill()
os.remove(os.path.join(folder, "ends.lua"))


several = [busy("page %d" % i, i) for i in range(4)]
answers = [connection.getresponse() for connection in several]
values = [json.load(answer)["results"][0]["value"] if answer.status == 200 else answer.status for answer in answers]
check("runs of other pages take turns", values == [0, 1, 2, 3], values)
_, made = explorer.run(page="page 1", params={"seed": 7})
check("each page with its own text", made["results"][0]["value"] == 7, made)
loops = busy("gone", 1, "while true do end")
subprocess.run(["sleep", "0.5"])
loops.close()
status, made = explorer.run(page="page 2", text=open(recipe).read(), params={"seed": 8})
check("one of a page that is gone is stopped", status == 200 and made["params"][0]["value"] == 8, made)
kept = made["generation"]
for i in range(20):
    explorer.run(page="page 3", text="return { a = %d }" % i, params={})
check("many runs of one page leave the last ones of others", explorer.ask("/api/cells/%d/height?side=8" % kept)[0] == 200
      and explorer.ask("/api/export?generation=%d&result=height&format=png" % kept)[0] == 200)
check("a page's name is short", explorer.ask("/api/run", "POST", {"page": "x" * 41})[0] == 400)
status, made = explorer.run(text=open(recipe).read(), params={"seed": 8})

for _ in range(5):
    subprocess.run(["kill", "-INT"] + [str(worker) for worker in children(explorer.process.pid)], stderr=subprocess.DEVNULL)
    status, _, body = explorer.ask("/api/cells/%d/height?side=%d" % (made["generation"], 8))
    if status != 200:
        break
check("a process that was stopped too late does the next task", status == 200, body)

events = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=PATIENCE)
events.request("GET", "/api/events", headers={"Cookie": explorer.cookie})
stream = events.getresponse()


def event():
    lines = []
    while not (lines and lines[-1] == b"\n" and any(line.startswith(b"event") for line in lines)):
        lines.append(stream.readline())
        assert lines[-1]
    text = b"".join(lines).decode()
    return re.search("event: (.*)", text)[1], json.loads(re.search("data: (.*)", text)[1])


running = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=PATIENCE)
running.request("POST", "/api/run", json.dumps({"text": "print('hello') while true do esker.progress(1, 4) end", "params": {}}),
                {"Cookie": explorer.cookie, "Content-Type": "application/json"})
seen = [event(), event()]
check("what a recipe prints is told while it runs", seen[0][0] == "log" and seen[0][1]["text"] == "hello\n", seen)
check("so is its progress", seen[1][0] == "progress" and seen[1][1]["share"] == 0.25 and seen[1][1]["name"] == "recipe", seen)
explorer.run(text=open(recipe).read(), params={})
name = "progress"
while name == "progress":
    name, made = event()
    ended = made if name == "progress" else ended
check("and its end", ended["name"] is None, ended)
check("it was superseded", running.getresponse().status == 409)
check("by a newer run", (name, made.get("text")) == ("log", "made\t7\n"), (name, made))
write("land.lua", open(recipe).read().replace("score =", "value ="))
name = "log"
while name in ("log", "progress"):
    name, made = event()
check("a saved file is drawn", name == "changed" and [result["name"] for result in made["results"]][3] == "value", made)
explorer.run(params={"seed": 5, "talus": 9})
write("land.lua", "local p = params{ seed = { 1, max = 3 } }\nreturn { value = p.seed }")
while name != "changed" or [result["name"] for result in made["results"]] != ["value"]:
    name, made = event()
check("values that it no longer takes are left out", made["error"] is None and made["results"][0]["value"] == 1, made)
_, made = explorer.run(params={"seed": 5})
check("unless they were set for it", made["error"]["message"] == "seed must be at most 3, got 5", made["error"])
_, made = explorer.run(text="local p = params{ k = 2 }\nreturn { value = p.k }", params={"seed": 5, "k": 3})
check("nor those that an edited text does not take", made["error"] is None and made["results"][0]["value"] == 3, made)
write("part.lua", "return 1")
write("land.lua", """for i = 1, 3000 do print(("x"):rep(1000)) end
return { value = require "part" }""")
names = []
while not names or names[-1] != "changed":
    name, made = event()
    names.append(name)
check("a recipe may print much, of which the beginning is told", len(made["log"]) < 70000 and names.count("log") < 300, names)
write("part.lua", "return 22")
while name != "changed" or made["results"][0]["value"] != 22:
    name, made = event()
check("a module that is saved is drawn, too", made["error"] is None, made)
os.remove(folder + "/part.lua")
while name != "changed" or not made["error"]:
    name, made = event()
check("one that vanishes is told", made["error"]["line"] == 2 and made["error"]["message"].endswith("part.lua"), made["error"])
write("land.lua", "x" * 3000000)
name, made = event()
check("a file that is too large is told", name == "unread" and "land.lua': it is larger than 1024 KiB" in made["message"], made)
write("land.lua", whole.replace("score =", "value ="))
event()
os.rename(recipe, recipe + ".away")
name, made = event()
while name != "unread":
    name, made = event()
check("a file that vanishes is told", name == "unread" and "land.lua" in made["message"] and explorer.works(), made)
events.close()

other = subprocess.run([build + "/esker", "explore", "--no-open", "--port", str(explorer.port), folder + "/land-2.lua"],
                       capture_output=True, text=True)
check("a port in use is told", other.returncode == 1 and other.stderr == "esker: port %d is in use (--port)\n" % explorer.port, other)

# --- a static page -----------------------------------------------------------------------------------------------

write("still.lua", whole)
_, made = explorer.run(text=whole, params={"land": "raw"})
world = made["results"][0]["world"]
done = esker("explore", "--static", "still.lua", "land=raw", "-o", "page", "--levels", "0..1")
if "built without the explorer's page" not in done.stderr:
    there = {os.path.relpath(os.path.join(at, name), folder + "/page") for at, _, names in os.walk(folder + "/page") for name in names}
    tiles = {"api/tile/%s/0/%s" % (world, cell) for cell in ("0/0/0", "1/0/0", "1/1/0", "1/0/1", "1/1/1")}
    check("a static page has all files", done.returncode == 0 and {"index.html", "api/state", "api/lines/1/rivers",
          "api/mesh/1/mesh", "api/cells/1/height", "api/picture/1/relief.png", *tiles} <= there, (done, there))
    check("its tiles are the server's", all(gzip.decompress(open(folder + "/page/" + tile, "rb").read()) == explorer.get("/" + tile)
                                            for tile in tiles))
    state = json.load(open(folder + "/page/api/state"))
    check("its state says so, and where its levels end", state["static"] and state["results"][0]["zoom_max"] == 1
          and all(result.get("width") for result in state["results"] if result["kind"] in ("field", "image")), state["results"])
    before = os.stat(folder + "/page/" + min(tiles)).st_mtime_ns
    done = esker("explore", "--static", "still.lua", "land=raw", "-o", "page", "--levels", "0..1", "-q")
    check("a second time it draws no tile again", done.returncode == 0 and not done.stdout
          and os.stat(folder + "/page/" + min(tiles)).st_mtime_ns == before, done)
    write("fails.lua", "return { a = esker.field{ size = 2, values = 0 }:resize{ width = 1e9 } }")
    done = esker("explore", "--static", "fails.lua", "-o", "other")
    check("an error is told with its line", done.returncode == 1 and done.stderr.startswith("fails.lua:1: resize:")
          and not os.path.exists(folder + "/other"), done)
    os.remove(folder + "/fails.lua")
    done = esker("explore", "--static", "still.lua", "land=raw", "-o", "still.lua/page", "--levels", "0..0")
    check("a folder that cannot be made is told once", done.returncode == 1 and "cannot make the folder" in done.stderr
          and done.stderr.count("\n") == 1, done)
for words in ("-o", "page"), ("--levels", "0..2"), ("--static", "--port", "4711"), ("--static", "--levels", "1..2"), \
        ("--static", "--levels", "0..99"):
    done = esker("explore", "still.lua", "--no-open" if "--static" not in words else "-q", *words)
    check("explore %s is refused" % " ".join(words), done.returncode == 2 and words[-2] in done.stderr, done)
shutil.rmtree(folder + "/page", ignore_errors=True)
os.remove(folder + "/still.lua")

# --- the end -----------------------------------------------------------------------------------------------------

short = "local p = params{ n = 1 } local s = 0 for i = 1, 3000 do s = s + i * p.n end return { s = s }"
threads = [threading.Thread(target=lambda: [explorer.run(text=short, params={"n": n}) for n in range(12)]) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
workers = children(explorer.process.pid)
explorer.process.send_signal(signal.SIGINT)
status, said = explorer.process.wait(PATIENCE), explorer.process.stderr.read()
check("Ctrl-C ends it", status == 130 and "Traceback" not in said)
check("runs that were superseded say nothing on the terminal", said.count("interrupted") <= 1, said)


def lives(pid):
    try:
        return open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


for _ in range(10 * PATIENCE):
    if not any(lives(pid) for pid in workers):
        break
    subprocess.run(["sleep", "0.1"])
check("and leaves nothing", workers and not any(lives(pid) for pid in workers)
      and sorted(os.listdir(folder)) == ["land-2.lua", "land.lua.away"], os.listdir(folder))

late = Explorer(write("loop.lua", "while true do end"), "--time-limit", "1")
made = late.state()
check("the time limit is told", "time limit of 1 s" in made["error"]["message"], made["error"])
check("on the terminal, too", "time limit of 1 s" in late.process.stderr.readline())
late.process.kill()
done = esker("explore", "--no-open", "--memory-limit", "100", "loop.lua")
check("too little memory is refused", done.returncode == 2 and "--memory-limit 128" in done.stderr, done)
end()

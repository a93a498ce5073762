"""Broken and hostile clients of `esker explore`: PROGRAM SEED. Prints TAP."""

import atexit, json, os, random, re, signal, socket, struct, subprocess, sys, threading, time

from tap import check, end, folder

program, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2])
recipe = os.path.join(folder, "land.lua")
with open(recipe, "w") as file:
    file.write("""local p = params{ seed = { 7, min = 0, max = 99 }, size = 64 }
local height = esker.diamond_square{ size = p.size, seed = p.seed }
print("made", p.seed)
return { map = esker.river_map{ seed = p.seed, land = "raw" }, height = height, relief = height:relief{}, mesh = height:mesh{},
    rivers = esker.river_map{ seed = 2, land = "raw" }:rivers{ size = 32 }, score = 0.5 }
""")
errors = open(os.path.join(folder, "errors"), "w+")
server = subprocess.Popen([program, "explore", "--no-open", "-j2", recipe], stdout=subprocess.PIPE, stderr=errors, text=True)
atexit.register(server.kill)
port, token = re.match(r"http://127\.0\.0\.1:(\d+)/\?t=(\w+)", server.stdout.readline()).groups()
port = int(port)


def connect():
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def exchange(client, text):
    """Sends one request, gives the status and the body of the answer; None where the server closed."""
    try:
        client.sendall(text)
        answer = client.makefile("rb")
        line = answer.readline()
        headers = {}
        while line:
            header = answer.readline().rstrip()
            if not header:
                break
            name, _, value = header.partition(b":")
            headers[name.lower()] = value.strip()
        return (int(line.split()[1]), headers, answer.read(int(headers.get(b"content-length", 0)))) if line else None
    except (OSError, ValueError, IndexError):
        return None


def request(path, method="GET", body=b"", **headers):
    own = {"Host": "127.0.0.1:%d" % port, "Cookie": cookie}
    if method == "POST":
        own.update({"Content-Type": "application/json", "Content-Length": len(body)})
    own.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = ["%s: %s" % each for each in own.items()]
    return ("%s %s HTTP/1.1\r\n%s\r\n\r\n" % (method, path, "\r\n".join(lines))).encode() + body


cookie = ""
with connect() as client:
    cookie = exchange(client, request("/?t=" + token))[1][b"set-cookie"].split(b";")[0].decode()


def state():
    with connect() as client:
        answer = exchange(client, request("/api/state"))
    return json.loads(answer[2]) if answer and answer[0] == 200 else None


def memory():
    """Of the server alone, in MiB."""
    with open("/proc/%d/status" % server.pid) as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) >> 10


first = state()
world, generation = first["results"][0]["world"], first["generation"]
good = [("GET", "/api/state", b""), ("GET", "/api/tile/%s/0/5/b/c?size=64" % world, b""), ("GET", "/api/cells/%d/height?side=16" % generation, b""),
        ("GET", "/api/lines/%s?z=4&x=6&y=9&size=64" % world, b""), ("GET", "/api/mesh/%d/mesh" % generation, b""),
        ("GET", "/api/picture/%d/relief.png" % generation, b""), ("GET", "/api/at/%s?x=0.4&y=0.5&zoom=3" % world, b""),
        ("GET", "/api/complete?line=esker.sp", b""), ("GET", "/api/export?result=height&format=asc", b""), ("GET", "/main.js", b""),
        ("GET", "/api/events", b""), ("POST", "/api/run", b'{"params": {"seed": 3}, "preview": 64, "only": "height"}'),
        ("POST", "/api/save", b'{"params": {"seed": 3}, "path": "../x.lua"}')]
draw = random.Random(seed)
tricks = [b"\0", b"\r\n", b"\r", b"%00", b"%2e%2e/", b"../", b"?", b"&", b"=", b"#", b"%", b" ", b"\t", b"\xff\xfe", b"9" * 400, b"-1", b"1e999",
          b"a" * 5000, b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5\r\n", b"Content-Length: 18446744073709551616\r\n", b"Expect: 100-continue\r\n",
          b"Connection: close\r\n", b"Upgrade: h2c\r\n", b"Host: evil.example\r\n", b"Origin: null\r\n", b"Cookie: x=y\r\n", b"{", b"[" * 3000, b'"\\ud800"', b"\n"]


def broken(text):
    """The text with a few bytes or words changed, left out, put in or said twice."""
    text = bytearray(text)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        at = draw.randrange(len(text) + 1)
        how = draw.randrange(5)
        if how == 0:
            text[at:at] = draw.choice(tricks)
        elif how == 1:
            del text[at:at + draw.choice((1, 3, 20))]
        elif how == 2 and at < len(text):
            text[at] = draw.randrange(256)
        elif how == 3:
            text[at:at] = text[at:at + 40]
        else:
            end = text.find(b"\r\n", at)
            text[end if end >= 0 else at:end + 2 if end >= 0 else at] = b"\r\n" + draw.choice(tricks)
    return bytes(text)


def fuzz():
    for _ in range(1500):
        method, path, body = draw.choice(good)
        text = broken(request(path, method, body))
        with connect() as client:
            try:
                for start in range(0, len(text), piece := draw.choice((1 << 16, 1 << 16, 100, 1000))):
                    client.sendall(text[start:start + piece])
                if draw.random() < 0.5:
                    client.shutdown(socket.SHUT_WR)
                client.settimeout(draw.choice((0.001, 0.05)))
                client.recv(65536)
                if draw.random() < 0.3: # a reset instead of an end
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            except OSError:
                pass


fuzz()
made = state()
check("1,500 broken requests harm nobody", made is not None and server.poll() is None, server.poll())
check("nothing was written", set(os.listdir(folder)) <= {"land.lua", "errors"} | {"land-%d.lua" % i for i in range(2, 999)}, os.listdir(folder))

# Smuggled: what follows a body, or comes in chunks, is no second request with the first one's rights.
with connect() as client:
    client.sendall(request("/api/run", "POST", b"{}", Content_Length=2, Transfer_Encoding="chunked") + b"0\r\n\r\n" + request("/api/state", Cookie="no=1"))
    client.settimeout(5)
    seen = b""
    try:
        while len(seen) < 1 << 20 and (part := client.recv(65536)):
            seen += part
    except OSError:
        pass
check("a body of two lengths is refused", not seen.startswith(b"HTTP/1.1 200"), seen[:200])
with connect() as client:
    text = request("/api/run", "POST", b"{}").replace(b"Content-Length: 2", b"Content-Length: 0\r\nContent-Length: 2")
    answer = exchange(client, text)
check("two lengths are refused", answer is None or answer[0] >= 400, answer)
with connect() as client:
    client.sendall(request("/api/state") + request("/api/state", Cookie="no=1") + request("/api/state", Host="evil.example"))
    answers = [exchange(client, b"")[0] for _ in range(1)]
check("each of several requests at once is checked", answers == [200], answers)

slow = []
for i in range(140): # more than there may be connections
    try:
        client = connect()
        client.sendall((b"GET / HTTP/1.1\r\nHost", b"POST /api/run HTTP/1.1\r\n", b"", b"\0")[i % 4])
        slow.append(client)
    except OSError:
        pass
began = time.time()
while (made := state()) is None and time.time() - began < 120:
    time.sleep(0.5)
check("140 clients that say nothing are let go", made is not None)
for client in slow:
    client.close()

began = time.time()
for i in range(600):
    with connect() as client:
        client.sendall(b"GET / HT")
made = None
while made is None and time.time() - began < 120:
    made = state()
check("600 clients that close half a request are let go long before 20 seconds each", made is not None and time.time() - began < 40,
      time.time() - began)

half = []
for i in range(60): # asks for much, reads nothing
    client = connect()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.sendall(request("/api/tile/%s/0/6/%x/1?size=512" % (world, i)) * 3)
    half.append(client)
check("60 clients that do not read what they ask harm nobody", state() is not None)
for client in half:
    client.close()

bodies, refused = [], 0
for i in range(40): # announces much, sends most of it, and waits
    client = connect()
    client.sendall(request("/api/run", "POST", Content_Length=4 << 20))
    client.settimeout(0.5)
    try:
        refused += b" 503 " in client.recv(100)
    except TimeoutError:
        client.sendall(b" " * (3 << 20))
    except OSError:
        pass
    bodies.append(client)
check("bodies that do not end take no more than 32 MiB", refused == 32 and state() is not None, refused)
for client in bodies:
    client.close()

for i in range(300): # a page that flies: each request is dropped at once
    client = connect()
    client.sendall(request("/api/tile/%s/0/20/%x/%x" % (world, 400000 + i, i)))
    client.close()
with connect() as client:
    answer = exchange(client, request("/api/tile/%s/0/3/1/1" % world))
check("tiles that were dropped hold no other up", answer and answer[0] == 200 and answer[2][:4] == b"ESKT", answer and answer[0])

streams = [connect() for _ in range(40)]
for stream in streams:
    stream.sendall(request("/api/events"))
for i in range(200):
    with connect() as client:
        exchange(client, request("/api/run", "POST", json.dumps({"params": {"seed": i % 5}}).encode()))
check("streams that are not read harm nobody", state() is not None)
for stream in streams:
    stream.close()


def hammer(number):
    own = random.Random(number)
    with connect() as client:
        for _ in range(60):
            method, path, body = own.choice(good[:10] + good[11:12])
            answer = exchange(client, request(path, method, body))
            wrong.append((path, answer and answer[0])) if not answer or answer[0] >= 500 else None


wrong = []
threads = [threading.Thread(target=hammer, args=(i,)) for i in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check("twelve clients at once are all answered", not wrong, wrong[:5])
with open(os.path.join(folder, "errors")) as file:
    check("runs that were superseded say nothing on the terminal", "interrupted" not in file.read())
check("nothing was left of all this", memory() < 1500, memory()) # with the sanitizers' own
server.send_signal(signal.SIGINT)
status = server.wait(120)
errors.seek(0)
text = errors.read()
check("and no sanitizer complained", status == 130 and "Sanitizer" not in text and "runtime error" not in text and "ERROR" not in text,
      (status, text))
end()

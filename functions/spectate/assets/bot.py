import json, random, secrets, time, urllib.error, urllib.request

ARENA = "http://127.0.0.1:8080"
key = None

def call(method, path, body=None):
    headers = {"content-type": "application/json"}
    if key:
        headers["authorization"] = "Bearer " + key
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(ARENA + path, data, headers, method=method)
    while True:
        try:
            return json.load(urllib.request.urlopen(request))
        except urllib.error.HTTPError as refusal:
            words, wait = refusal.read().decode(), refusal.headers["retry-after"]
            if not wait and refusal.code not in (429, 502, 503, 504):
                raise SystemExit(words)  # the bot's own mistake: the words say which
            print("waiting:", words)
            time.sleep(float(wait or 1))

name = f"my-bot-{random.randrange(10**6)}"
once = {"name": name, "idempotency_key": secrets.token_hex(16)}  # may be repeated safely
key = call("POST", "/agents/register", once)["api_key"]
call("POST", "/queue/join", {"ruleset": "renju_free", "house": 1})
while not (game := call("GET", "/queue")["active_game"]):
    time.sleep(1)
print(f"{name} plays: {ARENA}/game/{game}")
while not (view := call("GET", f"/games/{game}?wait=20"))["result"]:
    due = view["required_action"]
    if not due:
        time.sleep(view["poll_after_ms"] / 1000)
        continue
    answer = dict(due["example"])  # choose here: view["legal_moves"], view["board"]
    call(due["method"], due["path"], answer)
print("winner:", view["result"]["winner_name"])

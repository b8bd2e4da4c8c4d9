"""Runs a bot's main.py for `renju`: one line in, one JSON object per line out.

Every game has a process of its own, forked from this one: it begins with a fresh module, and Python
is started once. Where there is no fork, this process plays one game and ends.

    in              out
    game            {"group": 123}      process group of the game; null without fork
    load            {"hooks": [...]}    or an error
    {"id": 1, ...}  {"id": 1, ...}      a question and its answer, any number of times
    over            {"over": true}      the game's processes are gone

The bot gets neither of the two pipes: its standard input is empty, and whatever it prints goes to
the error stream.
"""
import importlib
import importlib.util
import json
import os
import queue
import signal
import sys
import threading

# Bots import these. Imported here, they are loaded once instead of in each game. `random` draws a new
# seed in every forked process.
for name in "collections copy functools heapq itertools math random time typing".split():
    importlib.import_module(name)

questions = os.dup(0)
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
with open(os.devnull) as nothing:
    os.dup2(nothing.fileno(), 0)
os.dup2(2, 1)

GAME_OVER = 86  # exit status of a game that was told to end


def answer(**fields):
    answers.write(json.dumps(fields) + "\n")
    answers.flush()


class Unreadable(Exception):
    pass


def point(value):
    # What CodeClash takes: two of anything that int() takes, such as 7, 7.0 or "7".
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise Unreadable
    return [int(value[0]), int(value[1])]


def points(value):
    try:
        return [point(each) for each in value]
    except Exception:
        raise Unreadable


READ = {
    "get_move": (point, "(row, col)"),
    "choose_fifth": (point, "(row, col)"),
    "offer_ten": (points, "a list of (row, col)"),
    "choose_swap": (lambda value: value if value == "put_two" else bool(value), "True or False"),
}


def text_of(value, write):
    try:
        return write(value)[:400]
    except Exception as error:
        return "a " + type(error).__name__ + " without a text"


def described(error):
    name, text = type(error).__name__, text_of(error, str).strip()
    if not isinstance(error, Exception):
        text = name + (": " + text if text else "")
    return {"exception": name, "text": text}


def load(path):
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("main", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["main"] = module
    spec.loader.exec_module(module)
    if not callable(getattr(module, "get_move", None)):
        raise TypeError("it has no function get_move(board, color)")
    return module


def listen(lines, inbox):
    for line in lines:
        if line == "over\n":
            os._exit(GAME_OVER)  # whatever the bot is doing
        inbox.put(json.loads(line))
    os._exit(0)


def play(path):
    lines = os.fdopen(questions, "r", encoding="utf-8")
    if lines.readline() != "load\n":
        os._exit(0)
    inbox = queue.Queue()
    threading.Thread(target=listen, args=(lines, inbox), daemon=True).start()
    try:
        bot = load(path)
    except BaseException as error:
        answer(error={"kind": "load", "file": path, **described(error)})
        os._exit(1)
    answer(hooks=[name for name in READ if callable(getattr(bot, name, None))])
    while True:
        question = inbox.get()
        number, call, arguments = question["id"], question["call"], question["arguments"]
        read, wanted = READ[call]
        try:
            value = getattr(bot, call)(*arguments)
            if value is not None or call == "get_move":
                value = read(value)
            answer(id=number, value=value)
        except Unreadable:
            texts = {"value": text_of(value, repr), "text": text_of(value, str), "wanted": wanted}
            answer(id=number, error={"kind": "format", "call": call, **texts})
        except BaseException as error:
            answer(id=number, error={"kind": "raised", "call": call, **described(error)})


def next_command():
    # Byte by byte: what follows is for the process of the game.
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(questions, 1)
        if not byte:
            return None
        line += byte
    return line


def fork(path):
    game = os.fork()
    if game == 0:
        os.setpgid(0, 0)
        play(path)
    try:
        os.setpgid(game, game)
    except OSError:
        pass  # it has done so itself
    answer(group=game)
    _, status = os.waitpid(game, 0)
    try:
        os.killpg(game, signal.SIGKILL)  # what the bot has started and left behind
    except OSError:
        pass  # nothing
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == GAME_OVER:
        answer(over=True)
    elif os.WIFEXITED(status):
        os._exit(os.WEXITSTATUS(status))
    else:
        die_of(os.WTERMSIG(status))


def die_of(number):
    try:
        signal.signal(number, signal.SIG_DFL)
    except OSError:
        pass  # SIGKILL needs no permission
    os.kill(os.getpid(), number)


def main(path):
    while next_command() == b"game\n":
        if hasattr(os, "fork"):
            fork(path)
        else:
            answer(group=None)
            play(path)


main(sys.argv[1])

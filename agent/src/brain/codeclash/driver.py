"""Runs a bot's main.py for `renju`: one JSON question per line in, one JSON answer per line out.

The bot gets neither of the two pipes: its standard input is empty, and whatever it prints goes to
the error stream.
"""
import importlib.util
import json
import os
import queue
import sys
import threading

questions = os.fdopen(os.dup(0), "r", encoding="utf-8")
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
with open(os.devnull) as nothing:
    os.dup2(nothing.fileno(), 0)
os.dup2(2, 1)


def answer(**fields):
    answers.write(json.dumps(fields) + "\n")
    answers.flush()


def point(value):
    # What CodeClash takes: two of anything that int() takes, such as 7, 7.0 or "7".
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise TypeError
    return [int(value[0]), int(value[1])]


READ = {
    "get_move": (point, "(row, col)"),
    "choose_fifth": (point, "(row, col)"),
    "offer_ten": (lambda value: [point(each) for each in value], "a list of (row, col)"),
    "choose_swap": (lambda value: value if value == "put_two" else bool(value), "True or False"),
}


def described(error):
    text = str(error).strip().split("\n")[0]
    return type(error).__name__ + (": " + text if text else "")


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


def listen(inbox):
    for line in questions:
        inbox.put(json.loads(line))
    os._exit(0)  # end of the input: stop, whatever the bot is doing


def main(path):
    inbox = queue.Queue()
    threading.Thread(target=listen, args=(inbox,), daemon=True).start()
    try:
        bot = load(path)
    except BaseException as error:
        answer(error=described(error))
        os._exit(1)
    answer(hooks=[name for name in READ if callable(getattr(bot, name, None))])
    while True:
        question = inbox.get()
        number, call, arguments = question["id"], question["call"], question["arguments"]
        try:
            value = getattr(bot, call)(*arguments)
        except BaseException as error:
            answer(id=number, error=f"{call} raised {described(error)}")
            continue
        if value is None and call != "get_move":
            answer(id=number, value=None)
            continue
        read, wanted = READ[call]
        try:
            answer(id=number, value=read(value))
        except Exception:
            answer(id=number, error=f"{call} returned {repr(value)[:80]}, not {wanted}")


main(sys.argv[1])

"""What trace-init says of logs: known deaths are named, unknown ones never dressed up as known."""

import json

from support.ringside import FolderTestCase, run

SRT = "/opt/sglang/python/sglang/srt/"
START = """[2026-02-20 10:02:00 TP0 EP0] Load weight end. elapsed=120.1 s, type=KimiK25ForConditionalGeneration, dtype=x
[2026-02-20 10:02:01 TP0 EP0] Capture cuda graph begin. This can take up to several minutes. avail mem=8.02 GB
"""
READY = "[2026-02-20 10:09:00] The server is fired up and ready to roll!\n"
METADATA = ("eplb/expert_location_dispatch.py", 39, "init_new", "assert expert_location_metadata is not None")


def death(error, *frames, rank=3):
    lines = [f"[2026-02-20 10:02:09 TP{rank} EP{rank}] Scheduler hit an exception: Traceback (most recent call last):"]
    for path, line, function, source in frames:
        lines += [f'  File "{path if path.startswith("/") else SRT + path}", line {line}, in {function}', f"    {source}"]
    return "\n".join([*lines, error]) + "\n\n[2026-02-20 10:02:10] Received sigquit from a child process.\n"


KNOWN = START + death("AssertionError", ("models/deepseek_v2.py", 788, "forward_deepep", "init_new("), METADATA)


class Logs(FolderTestCase):
    def outcome(self, text):
        log = self.folder / "server.log"
        log.write_text(text, encoding="utf-8")
        result = run("trace-init", "--log", str(log), "--json", "-")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)["trace"]["outcome"]

    def test_deaths_that_only_look_like_the_known_one(self):
        for name, text in {
            "another assert of the file": death("AssertionError", (METADATA[0], 88, "topk_to_physical", "assert x")),
            "another assert of the function": death("AssertionError", (METADATA[0], 41, "init_new", "assert layer_id < n")),
            "an assert that says something": death("AssertionError: no such layer", METADATA),
            "a file of another project": death("AssertionError", ("/srv/own/eplb/expert_location_dispatch.py", 9, "init_new",
                                                                  "assert self.ready")),
            "a prompt that quotes it": "prompt: 'assert expert_location_metadata is not None AssertionError'\n"
                                       + death("ValueError: bad prompt", ("z.py", 1, "f", "g()")),
            "no kernel for the architecture": death("RuntimeError: CUDA error: no kernel image is available for execution",
                                                    ("layers/moe/x.py", 1, "run", "y()")),
            "shapes": death("RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x7168 and 7169x512)",
                            ("layers/linear.py", 1, "forward", "x @ w")),
            "IPC": death("RuntimeError: CUDART error: invalid device context", ("distributed/x.py", 1, "f", "open()")),
            "KeyError: 12 elsewhere": death("KeyError: 12", ("managers/tokenizer.py", 10, "get", "return d[12]")),
            "cut off": KNOWN.split("    assert")[0],
            "killed": "Killed\n",
            "came up, then killed": READY + "Killed\n",
            "another death first": death("ValueError: else", ("x.py", 1, "f", "y")) + death("AssertionError", METADATA, rank=4),
        }.items():
            with self.subTest(name):
                self.assertEqual(self.outcome(START + text), "unknown-death")

    def test_the_known_one_in_every_dress(self):
        lines = KNOWN.rstrip("\n").split("\n")
        for name, text in {
            "plain": KNOWN,
            "docker compose": "".join(f"sglang-1  | {line}\n" for line in lines),
            "time stamps of a collector": "".join(f"2026-02-20T10:00:{i:02}.123456789Z {line}\n" for i, line in enumerate(lines)),
            "a name before each line": "".join(f"(scheduler TP3) {line}\n" for line in lines),
            "colours": KNOWN.replace("  File", "\x1b[31m  File"),
            "without source lines": "".join(f"{line}\n" for line in lines if not line.startswith("    ")),
            "a client that dies of it": KNOWN + "Traceback (most recent call last):\n"
                                                '  File "/a/client.py", line 1, in <module>\n    get()\nConnectionError: refused\n',
        }.items():
            with self.subTest(name):
                self.assertEqual(self.outcome(text), "expert-location-assert")

    def test_a_server_that_comes_up(self):
        for text in (READY, KNOWN + START + READY, READY + "[x] Killed request 17 by abort\n",
                     "Initial expert_location_metadata: None in expert_location_dispatch.py AssertionError\n" + READY):
            self.assertEqual(self.outcome(START + text), "no-failure-found")

    def test_what_is_no_log(self):
        result = run("trace-init", "--log", "/")
        self.assertEqual((result.returncode, result.stderr), (2, "ringside: the log / is a directory\n"))
        self.assertEqual(self.outcome(""), "unknown")

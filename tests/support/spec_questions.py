"""Questions to run-spec on the model device, and small logs of servers."""

import json
import pathlib
import re

from . import document_schema
from .ringside import FolderTestCase, run

CONFIG = {"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 80, "hidden_size": 8192,
          "intermediate_size": 28672, "num_attention_heads": 64, "num_key_value_heads": 8, "vocab_size": 128256,
          "torch_dtype": "bfloat16"}


def sglang_line(second, running, tokens_s, length=None, tokens=16000, rank="TP0"):
    accepted = "" if length is None else f"accept len: {length:.2f}, accept rate: {(length - 1) / 3:.2f}, "
    return (f"[2026-05-04 10:{second // 60:02}:{second % 60:02} {rank}] Decode batch, #running-req: {running}, "
            f"#token: {tokens}, token usage: 0.03, {accepted}cuda graph: True, "
            f"gen throughput (token/s): {tokens_s:.2f}, #queue-req: 0, \n")


def sglang_log(running, tokens_s, length=None, windows=10, tokens=16000, start=0):
    """Windows of 5 s whose speeds scatter by 1 %."""
    return "".join(sglang_line(start + 5 * window, running, tokens_s * (1 + 0.01 * ((window % 3) - 1)), length, tokens)
                   for window in range(windows))


def answer(*arguments, code=0):
    result = run("run-spec", "--device", "model", "--json", "-", *arguments)
    assert result.returncode == code, result.stderr
    document = document_schema.parse(result.stdout)
    assert document_schema.violations(document) == [], document_schema.violations(document)
    return document


def estimate(*arguments, code=0):
    return answer(*arguments, code=code)["spec"]["estimate"]


class WithFiles(FolderTestCase):
    def file(self, name, text):
        path = pathlib.Path(self.folder, name)
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return str(path)

    def text(self, *arguments):
        result = run("run-spec", "--device", "model", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return re.sub(r"\A(tool .*\n( .*\n)*)", "", result.stdout)  # builds for tests say so first

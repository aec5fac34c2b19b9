"""trace-init's Markdown and Chrome trace, from real traces through the real binary."""

import json

from support.chrome_trace import violations
from support.ringside import FolderTestCase, run

SCENARIO = "kimi-k2.5-ep8-flashinfer"


class Outputs(FolderTestCase):
    def written(self, option):
        path = self.folder / "out"
        result = run("trace-init", SCENARIO, option, str(path), "--quiet")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return path.read_text(encoding="utf-8")

    def test_a_chrome_trace_as_perfetto_takes_it(self):
        trace = json.loads(self.written("--chrome"))
        self.assertEqual(set(trace), {"displayTimeUnit", "traceEvents"})
        events = trace["traceEvents"]
        slices = [event for event in events if event["ph"] == "X"]
        self.assertGreater(len(slices), 10)
        self.assertEqual(violations(trace), [])
        named = {event["tid"] for event in events if event["name"] == "thread_name"}
        self.assertEqual({event["tid"] for event in slices}, named)
        died = [event for event in slices if event["args"]["mark"] == "died"]
        self.assertEqual([event["args"]["place"] for event in died], ["eplb/expert_location_dispatch.py:39"])

    def test_the_rules_of_the_format_catch_what_breaks_them(self):
        good = {"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 5, "args": {}}
        self.assertEqual(violations({"traceEvents": [good, {**good, "ts": 5}]}), [])
        for change in ({"ph": "Y"}, {"ts": -1}, {"ts": None}, {"dur": float("nan")}, {"tid": 0}, {"pid": "1"}, {"name": 3},
                       {"ph": "i"}, {"ph": "s"}, {"ph": "M"}, {"ph": "M", "name": "thread_name"}, {"args": []}):
            self.assertEqual(len(violations({"traceEvents": [{**good, **change}]})), 1, change)
        self.assertEqual(len(violations({"traceEvents": [good, {**good, "ts": 3}]})), 1)

    def test_markdown_for_an_issue(self):
        text = self.written("--md")
        self.assertTrue(text.startswith("### "))
        rows = [line for line in text.splitlines() if line.startswith("|")]
        self.assertGreater(len(rows), 10)
        self.assertEqual({row.replace("\\|", "").count("|") for row in rows}, {rows[0].count("|")})
        self.assertIn("eplb/expert_location_dispatch.py:39", text)
        self.assertIn("get_model_config_for_expert_location", text.replace("\\", ""))
        self.assertNotIn("\x1b", text)

"""trace-init's Markdown and Chrome trace, from real traces through the real binary."""

import json

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
        self.assertEqual({event["ph"] for event in events}, {"M", "X"})
        for event in events:
            self.assertIsInstance(event["name"], str)
            self.assertIsInstance(event["pid"], int)
        named = {event["tid"] for event in events if event["name"] == "thread_name" and event["args"]["name"]}
        ends = {}
        for event in slices:
            self.assertIn(event["tid"], named)
            self.assertGreaterEqual(event["ts"], ends.get(event["tid"], 0))  # slices of a track must not overlap
            self.assertGreater(event["dur"], 0)
            ends[event["tid"]] = event["ts"] + event["dur"]
        died = [event for event in slices if event["args"]["mark"] == "died"]
        self.assertEqual([event["args"]["place"] for event in died], ["eplb/expert_location_dispatch.py:39"])

    def test_markdown_for_an_issue(self):
        text = self.written("--md")
        self.assertTrue(text.startswith("### "))
        rows = [line for line in text.splitlines() if line.startswith("|")]
        self.assertGreater(len(rows), 10)
        self.assertEqual({row.replace("\\|", "").count("|") for row in rows}, {rows[0].count("|")})
        self.assertIn("eplb/expert_location_dispatch.py:39", text)
        self.assertIn("get_model_config_for_expert_location", text.replace("\\", ""))
        self.assertNotIn("\x1b", text)

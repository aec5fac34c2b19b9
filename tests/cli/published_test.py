"""Published times beside measured ones, and what described machines were fitted to."""

import json
import os
import pathlib
import re
import unittest

from support.ringside import FolderTestCase, run

SWEEP = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/results/2026-11-30-h200x2/allreduce-small.json"
GPU_STRATEGIES = "nccl-auto" in run("list", "strategies").stdout
LINE = ("published for 2 x H200, NCCL 2.29.2: 7.27 us at 16K; here 21.8 us (nccl-auto, NCCL 2.28.9): 3.00 times as long; "
        "at 1 other size 0.950 times. Another server may be wired differently. Source: AIConfigurator")


def words(text):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text)).replace("\\", "")


class Published(FolderTestCase):
    def sweep(self, **changes):
        document = json.loads(SWEEP.read_text(encoding="utf-8"))
        document["published"] = [{
            "gpu": "H200", "gpus": 2, "library": "NCCL", "version": "2.29.2", "version_here": "2.28.9",
            "source": "AIConfigurator", "strategy": "nccl-auto", "dtype": "bf16", "mode": "graph",
            "points": [{"bytes": 2048, "published_ns": 6310, "interpolated": False, "here_ns": 5994.5},
                       {"bytes": 16384, "published_ns": 7270, "interpolated": False, "here_ns": 21810}], **changes}]
        path = self.folder / "result.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    def test_every_format_for_people_has_the_line_under_the_table(self):
        path = self.sweep()
        texts = {"text": run("report", path).stdout}
        for name in ("md", "html"):
            texts[name] = run("report", path, "--quiet", f"--{name}", "-").stdout
        for name, text in texts.items():
            with self.subTest(name):
                self.assertIn(LINE, words(text))
                self.assertLess(words(text).index("us per call"), words(text).index(LINE))

    def test_a_table_of_another_mode_has_no_line(self):
        for changes in ({"mode": "eager"}, {"gpus": 8}, {"dtype": "fp16"}, {"points": []}):
            with self.subTest(changes):
                self.assertNotIn("published for", run("report", self.sweep(**changes)).stdout)

    def test_the_line_survives_being_written_again(self):
        again = json.loads(run("report", self.sweep(), "--json", "-").stdout)
        self.assertEqual([point["ratio"] for point in again["published"][0]["points"]], [0.95, 3.0])

    def test_the_list_names_the_license_and_the_defects(self):
        published = json.loads(run("list", "published", "--json", "-").stdout)["published"]
        self.assertEqual((published[0]["license"], published[0]["date"]), ("Apache-2.0", "2026-08-21"))
        self.assertIn("results were not verified", published[0]["summary"])
        self.assertIn(("8 x H200", "NCCL 2.29.2"), {(table["name"], table.get("library")) for table in published})


class Machines(unittest.TestCase):
    def model(self, machine, *arguments):
        return run("probe-comm", "--device", "model", "--machine", machine, "--mode", "graph", "--sizes", "2K,256K", *arguments)

    def test_a_machine_without_data_says_so_in_every_format_for_people(self):
        for arguments in ((), ("--quiet", "--md", "-"), ("--quiet", "--html", "-")):
            with self.subTest(arguments):
                self.assertIn("assumed, not fitted to any times", words(self.model("rtx-5090-pcie-x2", *arguments).stdout))

    @unittest.skipUnless(GPU_STRATEGIES, "this build has no strategies for GPUs")
    def test_a_fitted_machine_says_how_far_off_it_is(self):
        text = words(self.model("h200x8-nvswitch", "--strategy", "nccl-auto,custom,nccl-ring").stdout)
        self.assertRegex(text, r"fit .*custom to SGLang 0\.5\.14's allreduce, another kernel, on H200 \(published, AIConfigurator "
                               r"095f58a51\): \d+ % off in the middle, \d+ % at most")
        self.assertRegex(text, r"nccl-auto to NCCL 2\.29\.2 on H200 [^;]*: \d+ % off in the middle, \d+ % at most")
        self.assertIn("; assumed, not fitted: nccl-ring allreduce", text)

    @unittest.skipUnless(GPU_STRATEGIES, "this build has no strategies for GPUs")
    def test_a_modelled_custom_is_the_kernel_of_the_table(self):
        for machine, small, large in (("h200x8-nvswitch", "custom-push", "custom-two-shot"),
                                      ("h200x2-nvlink", "custom-push", "custom-push"),
                                      ("rtx-pro-6000-pcie-x8", "custom-push", "custom-two-shot")):
            document = json.loads(self.model(machine, "--quiet", "--json", "-").stdout)
            rows = {(row["params"]["strategy"], row["params"]["bytes"]): row for row in document["rows"]}
            for size, kernel in ((2048, small), (262144, large)):
                with self.subTest(machine=machine, size=size):
                    custom = rows["custom", size]
                    self.assertEqual(custom["ran"], kernel)
                    self.assertRegex(custom["chosen_by"], r"^built-in table fnv1a:[0-9a-f]+$")
                    self.assertEqual(custom["time"], rows[kernel, size]["time"])


if __name__ == "__main__":
    unittest.main()

"""Results made by hand out of a real one, for tests of comparisons."""

import copy
import json

from support import document_schema
from support.ringside import FolderTestCase, environment, run

SMALL = ("probe-comm", "--device", "host", "--ranks", "2", "--strategy", "ring", "--sizes", "1K,4K", "--rounds", "10",
         "--launches", "3", "--budget", "30", "--quiet")
QUIET = [100.0, 100.2, 100.4, 100.6, 100.8]


class CompareCase(FolderTestCase):
    """`write` makes results by hand out of one real one, so that their times are known."""

    @classmethod
    def setUpClass(cls):
        made = run(*SMALL[:-1], "--launches", "1", "--json", "-")
        assert made.returncode == 0, made.stderr
        cls.template = json.loads(made.stdout)

    def setUp(self):
        super().setUp()
        self.env = environment(XDG_DATA_HOME=str(self.folder / "data"))

    def write(self, name, factor=1.0, change=lambda document: None, medians=tuple(QUIET)):
        """The path of a result in which each case has launches of these medians (us), times `factor`."""
        document = copy.deepcopy(self.template)
        for row in document["rows"]:
            launch = row["launches"][0]
            row["launches"] = [
                {**launch, "launch": i, "samples_ns": [median * factor * 1e3] * 24} for i, median in enumerate(medians)]
        document["method"]["launches"] = len(medians)
        change(document)
        path = self.folder / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    def compare(self, *arguments, status=0):
        result = run("compare", *arguments, "--json", "-", env=self.env)
        self.assertEqual(result.returncode, status, result.stderr)
        document = document_schema.parse(result.stdout)
        self.assertEqual(document_schema.violations(document), [])
        return document

    def refused(self, *arguments):
        result = run("compare", *arguments, env=self.env)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

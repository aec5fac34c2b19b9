"""HTML reports in a real browser: they draw, answer to mouse and keyboard, ask no host for anything, and run nothing
that a document smuggles in."""

import json
import os
import pathlib
import tempfile
import unittest

from support import browser
from support.ringside import FolderTestCase, run, wait_until

RESULTS = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/results"
GPU_SWEEP = RESULTS / "2026-11-30-h200x2/allreduce-14-sizes.json"
BOTH_MODES = RESULTS / "2026-11-30-h200x2/alltoall-skewed.json"
HOST_SWEEP = RESULTS / "2026-11-30-2-cores/allreduce-fp32.json"
ARROW_RIGHT, ENTER, ESCAPE = "\ue014", "\ue007", "\ue00c"

# Of each canvas: how many of its pixels have a colour of their own.
COLOURED = """[...document.querySelectorAll('canvas')].map((canvas) => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let coloured = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 128 && Math.max(data[i], data[i+1], data[i+2]) - Math.min(data[i], data[i+1], data[i+2]) > 60) ++coloured;
  }
  return coloured;
})"""

# Of the window, of the page, and of each chart its box, its element and what is drawn into it.
WIDTHS = """({
  window: window.innerWidth, page: document.documentElement.scrollWidth, scale: visualViewport.scale,
  charts: [...document.querySelectorAll('canvas')].map((canvas) => [
    canvas.parentElement.clientWidth, canvas.clientWidth, canvas.width / window.devicePixelRatio]),
})"""


@unittest.skipIf(browser.missing(), browser.missing())
class Pages(FolderTestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser().__enter__()
        cls.addClassCleanup(cls.browser.__exit__)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.comparison = pathlib.Path(folder.name, "comparison.json")
        slower = pathlib.Path(folder.name, "slower.json")
        document = json.loads(HOST_SWEEP.read_text())
        for row in document["rows"][::5]:
            for launch in row["launches"]:
                launch["samples_ns"] = [1.5 * time for time in launch["samples_ns"]]
        slower.write_text(json.dumps(document))
        compared = run("compare", str(HOST_SWEEP), str(slower), "--no-confirm", "--json", str(cls.comparison))
        assert compared.returncode in (0, 6), compared.stderr

    def setUp(self):
        super().setUp()
        self.browser.resize(1200, 900)
        self.browser.prefer("light")

    def show(self, *arguments, code=0):
        path = self.folder / "page.html"
        result = run(*arguments, "--html", str(path), "--csv", "-")
        self.assertEqual(result.returncode, code, result.stderr)
        self.browser.console()
        self.browser.requests()
        self.browser.open(path)
        return path

    def wait_for(self, expression, wanted, what):
        """What the expression gives, as soon as wanted(it): a page answers when it has the time to."""
        seen = [None]
        def as_wanted():
            seen[0] = self.browser.evaluate(expression)
            return wanted(seen[0])
        try:
            wait_until(as_wanted, what)
        except AssertionError as late:
            raise AssertionError(f"{late}; last seen: {seen[0]!r}") from None
        return seen[0]

    def assert_becomes(self, expression, expected):
        self.wait_for(expression, lambda value: value == expected, f"{expected!r} of {expression}")

    def assert_quiet(self):
        self.browser.settle()
        self.assertEqual(self.browser.console(), [])
        for address in self.browser.requests():
            self.assertRegex(address, r"\A(file:///|data:)")

    def skip_without_charts(self):
        if "tables alone" in run("report", "--help").stdout:
            self.skipTest("this binary was built without Chart.js")

    def test_every_kind_of_document_draws_its_charts_and_the_console_stays_empty(self):
        self.skip_without_charts()
        trace = ("trace-init", "kimi-k2.5-ep8-flashinfer", "--what-if")
        for arguments, charts in (
                (("report", str(GPU_SWEEP)), 3), (("report", str(HOST_SWEEP)), 3), (("report", str(BOTH_MODES)), 7),
                (("run-spec", "--device", "model"), 7), (trace, 0), (("report", str(self.comparison)), 1),
                (("report", str(HOST_SWEEP), str(GPU_SWEEP)), 6)):
            with self.subTest(arguments=arguments):
                self.show(*arguments)
                self.wait_for(COLOURED, lambda coloured: len(coloured) == charts and all(pixels > 30 for pixels in coloured),
                              f"{charts} charts with coloured curves")
                self.assert_quiet()

    def test_the_mouse_and_the_keyboard_bring_the_tooltip(self):
        self.skip_without_charts()
        self.show("report", str(GPU_SWEEP))
        self.browser.evaluate("document.querySelector('figure').scrollIntoView({block: 'center', behavior: 'instant'})")
        box = self.browser.evaluate("document.querySelector('canvas').getBoundingClientRect().toJSON()")
        tooltip = ("(({opacity, title, body}) => ({opacity, title, body: body && body.map((b) => b.lines[0])}))"
                   "(ringsideCharts[0].tooltip)")
        opacity = "ringsideCharts[0].tooltip.opacity"
        self.assertEqual(self.browser.evaluate(opacity), 0)
        self.browser.move_to(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        shown = self.wait_for(tooltip, lambda value: value["opacity"] == 1, "the tooltip below the mouse")
        self.assertRegex(shown["title"][0], r"\A\d+[KM]\Z")
        self.assertTrue(any("nccl-auto: 7.27 us (" in line for line in shown["body"]), shown)
        self.browser.move_to(20, 20)
        self.assert_becomes(opacity, 0)
        self.browser.evaluate("document.querySelector('canvas').focus()")
        self.browser.press(ARROW_RIGHT, ARROW_RIGHT)
        self.assert_becomes("[ringsideCharts[0].tooltip.opacity, ringsideCharts[0].tooltip.title]", [1, ["4K"]])
        self.browser.press(ESCAPE)
        self.assert_becomes(opacity, 0)
        self.assert_quiet()

    def test_a_button_of_the_legend_takes_its_curve_out_of_all_figures(self):
        self.skip_without_charts()
        self.show("report", str(GPU_SWEEP))
        visible = ("ringsideCharts.map((chart) => chart.data.datasets.some("
                   "(d, i) => d.label === 'nccl-auto' && chart.isDatasetVisible(i)))")
        self.assertEqual(self.browser.evaluate(visible), [True, True, True])
        self.browser.evaluate("[...document.querySelectorAll('.legend button')].find((b) => b.textContent === 'nccl-auto').focus()")
        self.browser.press(ENTER)
        self.assert_becomes(visible, [False, False, False])
        self.assert_becomes("document.activeElement.getAttribute('aria-pressed')", "false")

    def test_guards_of_a_trace_unfold_by_keyboard(self):
        self.show("trace-init", "kimi-k2.5-ep8-flashinfer")
        self.browser.evaluate("document.querySelector('li.died summary').focus()")
        guard = "document.querySelector('li.died dl').checkVisibility()"
        self.assertFalse(self.browser.evaluate(guard))
        self.browser.press(ENTER)
        self.assert_becomes(guard, True)
        self.assertIn("state.expert_location_metadata is None", self.browser.evaluate("document.querySelector('li.died dl').innerText"))

    def test_light_and_dark_have_colours_of_their_own(self):
        self.skip_without_charts()
        colours = "[getComputedStyle(document.body).backgroundColor, ringsideCharts[0].data.datasets[0].borderColor]"
        self.show("report", str(HOST_SWEEP))
        light = self.browser.evaluate(colours)
        self.browser.prefer("dark")
        for index, what in enumerate(("the page", "its curves")):
            self.wait_for(f"{colours}[{index}]", lambda colour, at=index: colour != light[at], f"another colour of {what}")
        self.assert_quiet()

    def assert_fits(self, width, height, mobile=False):
        """After the window took this size: nothing is wider, and the charts have all the width of their boxes again."""
        self.browser.resize(width, height, mobile)
        self.wait_for(WIDTHS, lambda seen: seen["window"] == width and seen["page"] <= width and seen["scale"] == 1 and
                      all(box - 1 <= drawn <= box and shown == drawn for box, shown, drawn in seen["charts"]),
                      f"a page that fits into {width} x {height}")

    def assert_fits_in_turn(self, *sizes, **options):
        for arguments in (("report", str(GPU_SWEEP)), ("run-spec", "--device", "model"), ("report", str(self.comparison)),
                          ("trace-init", "kimi-k2.5-ep8-flashinfer", "--what-if")):
            with self.subTest(arguments=arguments):
                self.browser.resize(1200, 900)
                self.show(*arguments)
                for size in sizes:
                    self.assert_fits(*size, **options)

    def test_nothing_is_wider_than_its_window_while_that_shrinks_and_grows(self):
        self.assert_fits_in_turn((1200, 900), (390, 900), (1200, 900), (700, 900), (390, 900))

    def test_nothing_is_wider_than_a_phone_also_when_it_is_turned(self):
        self.assert_fits_in_turn((390, 844), (844, 390), (390, 844), (844, 390), (360, 740), mobile=True)

    def test_a_chart_that_was_not_drawn_again_yet_makes_nothing_wider(self):
        """The page between the new size of its window and its charts' answer, held still by hiding that answer."""
        self.skip_without_charts()
        self.show("report", str(GPU_SWEEP))
        self.browser.evaluate("ringsideCharts.forEach((chart) => { chart.resize = chart._resize = () => {}; })")
        self.browser.resize(390, 844, mobile=True)
        seen = self.wait_for(WIDTHS, lambda value: value["window"] == 390, "a window of 390")
        self.assertGreater(seen["charts"][0][2], 390)
        self.assertLessEqual(seen["page"], 390)

    def test_what_a_document_smuggles_in_is_shown_and_not_run(self):
        attack = ("</script><script>window.hacked = 1</script><img src=http://127.0.0.1:9/x onerror='window.hacked = 1'>"
                  "\"'><svg onload=window.hacked=1>{{script}}<!--")
        document = json.loads(HOST_SWEEP.read_text())
        document["command"] = document["started"] = document["machine"]["name"] = attack
        document["argv"] = [attack]
        document["machine"]["facts"] = {attack: attack}
        document["environment"] = {attack: attack}
        document["rows"][0]["params"]["strategy"] = attack
        document["rows"][1].update(asked=attack, ran=attack)
        document["method"]["verification"] = attack
        document["findings"].append({"kind": attack, "severity": "error", "subject": attack, "message": attack,
                                     "evidence": [attack], "remedy": attack, "id": f"{attack}:{attack}"})
        path = self.folder / "hostile.json"
        path.write_text(json.dumps(document))
        self.show("report", str(path))
        self.browser.settle()
        self.assertIsNone(self.browser.evaluate("window.hacked ?? null"))
        self.assertIn(attack, self.browser.evaluate("document.querySelector('#findings').textContent"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('img, main script, [onload], [onerror]').length"), 0)
        self.assert_quiet()

    def test_a_script_that_were_smuggled_in_after_all_would_not_run(self):
        path = self.show("report", str(HOST_SWEEP))
        page = path.read_text()
        path.write_text(page.replace("<main", "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'><main"))
        self.browser.open(path)
        refused = []
        def both():  # the element and the attribute
            refused.extend(line for line in self.browser.console() if "script" in line and "Content Security Policy" in line)
            return len(refused) >= 2
        wait_until(both, "two refused scripts")
        self.assertIsNone(self.browser.evaluate("window.hacked ?? null"))


class Text(FolderTestCase):
    def test_the_same_document_gives_the_same_page(self):
        pages = [run("report", str(HOST_SWEEP), "--html", "-").stdout for _ in range(2)]
        self.assertEqual(pages[0], pages[1])

    def test_the_licence_of_what_is_embedded_is_kept(self):
        page = run("report", str(HOST_SWEEP), "--html", "-").stdout
        if "built without Chart.js" in page:
            self.skipTest("this binary was built without Chart.js")
        self.assertIn("Permission is hereby granted, free of charge", page)
        self.assertIn("Chart.js Contributors", page)


if __name__ == "__main__":
    unittest.main()

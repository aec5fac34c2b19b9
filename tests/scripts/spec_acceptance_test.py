"""How scripts/accept spec scores, without asking anything."""

import math
import os
import pathlib
import sys
import types
import unittest

ROOT = pathlib.Path(os.environ["RINGSIDE_SOURCE"])
sys.path.insert(0, str(ROOT / "scripts"))

from acceptance.spec_parts import measured, models, rows, scores, silicon, silicon_rows  # noqa: E402
from acceptance.spec_parts.predictions import Prediction, beside  # noqa: E402
from acceptance.spec_parts.scores import Scored  # noqa: E402


def row(**changes):
    values = {"box": "one", "given": False, "source": "a thread", "server": "vllm@2026-01", "gpu": "h100_sxm", "gpus": 1,
              "model": "llama-3.1-8b", "method": "EAGLE3", "steps": 3, "top_k": 1, "candidates": 4, "batch": 1, "context": 512,
              "plain": 100.0, "speculative": 150.0, "acceptance": "2.4", "slow": False, "note": ""}
    return rows.Row(**values | changes)


def said(verdict="pays", certainty="firm", low=1.2, high=1.8, **changes):
    return {"verdict": verdict, "certainty": certainty, "speedup": {"median": 1.5, "low": low, "high": high}, "pays": 0.9,
            "slow_path": {"probability": 0.1, "speedup": {"median": 0.6, "low": 0.5, "high": 0.7}}, "measured": []} | changes


def prediction(estimate, **changes):
    return Prediction("plain", row(**changes), None, (), estimate)


class Experiments(unittest.TestCase):
    def test_an_experiment_of_many_rows_counts_once(self):
        many = [Scored("many", 50.0)] * 9 + [Scored("a", 1.0), Scored("b", 2.0)]
        self.assertEqual(scores.quantile(many, 0.5), 2.0)
        self.assertAlmostEqual(scores.mean(many), 53 / 3)

    def test_nothing_to_score_is_no_success(self):
        self.assertEqual(scores.quantile([], 0.5), math.inf)
        self.assertEqual(scores.share([]), 0.0)
        self.assertEqual(scores.worst([]).value, math.inf)

    def test_a_miss_costs_twenty_times_its_distance(self):
        inside = scores.interval_score(1.0, 2.0, 1.5)
        self.assertAlmostEqual(inside, math.log(2))
        self.assertAlmostEqual(scores.interval_score(1.0, 2.0, 2.2), inside + 20 * math.log(1.1))


class Answers(unittest.TestCase):
    def test_a_question_without_an_answer_is_infinitely_wrong_and_outside(self):
        for estimate in (None, said(speedup=None)):
            self.assertEqual(prediction(estimate).error(), math.inf)
            self.assertFalse(prediction(estimate, speculative=300.0).inside(slow=True))

    def test_firm_is_wrong_on_either_side(self):
        self.assertTrue(prediction(said(), speculative=80.0).wrongly_firm())
        self.assertTrue(prediction(said(verdict="loses"), speculative=150.0).wrongly_firm())
        self.assertFalse(prediction(said(), speculative=150.0).wrongly_firm())
        self.assertFalse(prediction(said(certainty="likely"), speculative=80.0).wrongly_firm())

    def test_the_slow_path_counts_only_where_it_is_asked_for(self):
        slow = prediction(said(), speculative=60.0)
        self.assertFalse(slow.inside())
        self.assertTrue(slow.inside(slow=True))

    def test_a_measured_ratio_that_is_not_printed_is_outside(self):
        self.assertFalse(measured.own_interval(prediction(said())))
        pair = {"ratio": {"median": 1.5, "low": 1.45, "high": 1.55}}
        self.assertTrue(measured.own_interval(prediction(said(measured=[pair]))))
        self.assertFalse(measured.own_interval(prediction(said(measured=[{"ratio": None}]))))


class Pairs(unittest.TestCase):
    def test_other_drafts_are_of_the_same_experiment_batch_and_plain_speed(self):
        alike = [row(), row(steps=5, candidates=6)]
        self.assertEqual(len(beside(alike, "drafts")), 2)
        for other in ({"box": "two"}, {"batch": 8}, {"plain": 120.0}, {"method": "EAGLE"}, {"acceptance": "golden:kimi-k2.5"}):
            self.assertEqual(beside([row(), row(steps=5, candidates=6, **other)], "drafts"), [], other)

    def test_batches_are_paired_at_the_same_drafts(self):
        batches = [row(batch=b) for b in (4, 8, 32)]
        self.assertEqual([(a.batch, b.batch) for a, b in beside(batches, "double")], [(4, 8), (8, 4)])
        self.assertEqual(len(beside(batches, "far")), 4)
        self.assertEqual(beside([row(batch=4), row(batch=8, steps=2, candidates=3)], "double"), [])


class Samples(unittest.TestCase):
    def item(self, series, batch, tpot, model="deepseek-ai/DeepSeek-R1", gpu="b200_sxm"):
        return silicon_rows.Sample(model, "fp8", gpu, "trtllm", "2025-11", 8, 1, batch, 1024, 1024, tpot, series)

    def test_a_sweep_far_faster_than_its_like_is_taken_for_speculation(self):
        sweeps = [self.item("a", b, t) for b, t in ((4, 10.0), (8, 11.0))] + [self.item("b", b, t) for b, t in ((4, 5.0), (8, 6.0))]
        self.assertEqual({series for *_place, series in silicon_rows.speculating(sweeps)}, {"b"})

    def test_a_model_without_mtp_is_not(self):
        sweeps = [self.item("a", 4, 10.0, "Qwen/Qwen3-32B"), self.item("b", 4, 5.0, "Qwen/Qwen3-32B")]
        self.assertEqual(silicon_rows.speculating(sweeps), set())

    def test_a_rows_own_type_of_gpu_does_not_set_its_fixed_times(self):
        speed = {"median": 400.0, "low": 300.0, "high": 500.0}  # 10 ms a token at batch 4
        others = [silicon.Judged(self.item("a", 4, 12.0, gpu="h200_sxm"), speed) for _ in range(5)]
        own = [silicon.Judged(self.item("a", 4, 30.0), speed) for _ in range(50)]
        shift = silicon.without_its_gpu(others + own)
        self.assertAlmostEqual(shift(own[0]), 2.0)
        self.assertAlmostEqual(own[0].ratio(shift(own[0])), 2.5)


class PublishedRows(unittest.TestCase):
    def test_each_judged_row_is_possible(self):
        for item in rows.judged():
            with self.subTest(item):
                self.assertIn(item.model, models.CONFIGS)
                self.assertGreaterEqual(item.candidates, item.steps + (1 if item.top_k == 1 else 0))
                if item.length is not None:
                    self.assertTrue(1 < item.length <= item.steps + 1, item.length)
                self.assertTrue(0.3 < item.truth < 5)

    def test_one_experiment_is_one_server(self):
        seen = {}
        for item in rows.judged():
            place = (item.server, item.gpu, item.gpus, item.model, item.source, item.given and item.box)
            self.assertEqual(seen.setdefault(item.box, place)[:5], place[:5])

    def test_a_row_that_is_not_judged_says_why(self):
        for line in rows.lines():
            self.assertIn(line["use"], ("yes", "no"))
            self.assertTrue(line["use"] == "yes" or line["note"] != "-", line)


class Times(unittest.TestCase):
    def test_the_part_says_what_is_missing_without_a_clone(self):
        record = types.SimpleNamespace(options=types.SimpleNamespace(aiconfigurator=None, table=None))
        first = next(iter(silicon.PARTS["silicon"](None, record)))
        self.assertFalse(first.passed())
        self.assertIn("--aiconfigurator", first.detail)


if __name__ == "__main__":
    unittest.main()

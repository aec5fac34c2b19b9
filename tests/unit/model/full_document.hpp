#pragma once

#include "model/document.hpp"

namespace ringside::test {

inline InitTrace full_trace() {
  return {.pipeline = "sglang-0.5.9",
          .title = "SGLang v0.5.9",
          .outcome = "expert-location-assert",
          .summary = "it dies of AssertionError",
          .facts = {{"args.tp_size", "8"}},
          .steps = {{.depth = 2,
                     .worker = "target",
                     .ranks = "0-7",
                     .file = "model_executor/model_runner.py",
                     .line = 457,
                     .function = "ModelRunner.initialize",
                     .guard = "not (worker.draft)",
                     .decided_by = {{"worker.draft", "False"}},
                     .effect = "expert_location_metadata = None",
                     .result = StepResult::ran,
                     .mark = StepMark::set_to_none,
                     .time_s = 12.5,
                     .process = "TP0 (pid 4711)"}},
          .death = TraceDeath{.error = "AssertionError",
                              .message = "",
                              .worker = "target",
                              .ranks = "0-7",
                              .phase = "warm-up",
                              .frames = {{.file = "eplb/expert_location_dispatch.py",
                                          .line = 39,
                                          .function = "init_new",
                                          .source = "assert expert_location_metadata is not None"}}},
          .undecided = {"whether it rains"},
          .counterfactuals = {{.changes = {"--moe-a2a-backend none"},
                               .outcome = "pass",
                               .gives_up = "the all-to-all",
                               .cost = 2}}};
}

// A Document in which every member has a value of its own, and every optional is there once and absent once.
inline Document full_document() {
  Document document;
  document.tool = {"1.2.3", "0123456789ab", "GNU 12.2.0", "Release", "13.0", ""};
  document.command = "probe-comm";
  document.argv = {"ringside", "probe-comm", "--sizes", "2K"};
  document.started = "2026-03-01T12:00:00Z";
  document.complete = true;
  document.machine = {"2 cores, 23.4 GiB", {{"cpu", "EPYC \"7B13\""}, {"cores", "2"}}};
  document.environment = {{"NCCL_DEBUG", "WARN"}};
  document.request = SweepRequest{.device = DeviceKind::cuda,
                                  .described = DeviceKind::model,
                                  .ranks = 2,
                                  .cases = {{.collective = Collective::alltoall,
                                             .strategies = {"direct", "direct"},
                                             .sizes = {Bytes{2048}, Bytes{4096}},
                                             .dtypes = {DType::bf16, DType::fp32},
                                             .modes = {Mode::graph},
                                             .load = {3, 1}}},
                                  .launches = 3,
                                  .min_rounds = 11,
                                  .max_rounds = 41,
                                  .budget = std::chrono::seconds(60),
                                  .firm_budget = true,
                                  .turn_timeout = std::chrono::seconds(30),
                                  .seed = 7,
                                  .calls_per_sample = 122,
                                  .gpus = {"GPU-0", "GPU-1"},
                                  .nccl_library = "/lib/libnccl.so.2",
                                  .skew = std::chrono::microseconds(5),
                                  .profile = true,
                                  .input = InputState::cold,
                                  .verify_calls = 70000,
                                  .slowdowns = {{.strategy = "direct", .factor = 1.5}},
                                  .cache = {50u << 20}};
  Withheld withheld;
  document.inputs = {input_text("scenario", "sweeps/decode.toml", "ranks = 2\n", withheld),
                     input_text("log", "server.log", "a long text", withheld, false)};
  document.method = Method{.seed = 18446744073709551615u,
                           .launches = 2,
                           .launches_wanted = 3,
                           .rounds_min = 12,
                           .rounds_max = 40,
                           .budget_s = 60,
                           .elapsed_s = 41.25,
                           .stop_reason = "budget",
                           .verification = "before timing and inside a burst"};

  document.links = {{.bytes = 2_KiB, .one_way_latency_ns = 760, .node_gap_ns = 520, .bandwidth_gbps = 376.5},
                    {.bytes = 4_KiB, .one_way_latency_ns = 760, .node_gap_ns = 520, .bandwidth_gbps = {}}};

  Row measured;
  measured.params = {.collective = Collective::allreduce,
                     .strategy = "nccl-ring:ll",
                     .family = "nccl-ring",
                     .entry = 1,
                     .device = DeviceKind::cuda,
                     .mode = Mode::graph,
                     .bytes = 2_KiB,
                     .dtype = DType::fp16,
                     .ranks = 8};
  measured.status = Status::pass;
  measured.origin = Origin::measured;
  measured.time = Statistics{.samples = 120,
                             .median_ns = 1831.5,
                             .interval95_ns = Interval{1830.25, 1833},
                             .min_ns = 1790,
                             .p90_ns = 1900.125,
                             .p99_ns = 2100};
  measured.launches = {
      {.launch = 0,
       .calls_per_sample = 122,
       .samples_per_round = 2,
       .samples_ns = {1831.5, 1790, 1900.125, 2100},
       .first_call_ns = 250000,
       .nccl_calls = {{"ncclCommInitRank", 1, 41e7}, {"ncclAllReduce", 2, 249000.5}},
       .floor_ns = 915.75,
       .touch_ns = 120.5,
       .touch_interval95_ns = Interval{118, 123},
       .disturbed_rounds = {1},
       .core_wait = 0.25,
       .ran = "custom-push",
       .turn_group = 1},
      {.launch = 1, .calls_per_sample = 122, .samples_per_round = 2, .samples_ns = {}, .first_call_ns = {}}};
  measured.algbw_gbps = 1.118;
  measured.busbw_gbps = 1.957;
  measured.floor_ns = 915.75;
  measured.floor_uncertainty_ns = 91.5;
  measured.of_floor = 0.5;
  measured.verification = Verification{.calls = 66,
                                       .elements = 540672,
                                       .bitwise_across_ranks = true,
                                       .calls_in_a_row = 1098,
                                       .timed_repetitions = 40};
  measured.input = InputState::cold;
  measured.asked = "RING/LL";
  measured.ran = "RING/LL";
  measured.channels = 2;
  measured.chosen_by = "built-in table fnv1a:0123456789abcdef";
  measured.setting = "NCCL_GRAPH_MIXING_SUPPORT=0";
  measured.to_reference = RowRatio{.to = "nccl-auto",
                                   .ratio = 1.0625,
                                   .interval95 = Interval{1.03125, 1.09375},
                                   .launches = 3,
                                   .verdict = PairVerdict::faster};
  measured.to_best_nccl = RowRatio{.to = "nccl-symmetric:nomix#2",
                                   .ratio = 0.75,
                                   .interval95 = {},
                                   .launches = 1,
                                   .verdict = PairVerdict::undecided};
  measured.clocks = ClockRecord{.sm_mhz_min = 1755, .sm_mhz_max = 1980, .held_by = {"software power cap"}};
  measured.skew = SkewRecord{.delay_ns = 20000, .others_ns = 22500.5, .after_arrival_ns = 2500.25};
  measured.comparison = Comparison{.threshold = 0.042,
                                   .threshold_origin = ThresholdOrigin::calibration,
                                   .reason = "fresh launches confirm it",
                                   .stages = {{.base_ns = {1700, 1710.5, 1720},
                                               .new_ns = {1830, 1831.5, 1833},
                                               .ratio = 1.075,
                                               .ratio_interval90 = Interval{1.0625, 1.078},
                                               .p_slower = 0.05,
                                               .p_faster = 1},
                                              {.base_ns = {1700},
                                               .new_ns = {},
                                               .ratio = {},
                                               .ratio_interval90 = {},
                                               .p_slower = 1,
                                               .p_faster = 1}}};
  measured.findings = {"winner:2K fp16 graph"};

  Row skipped;
  skipped.params = measured.params;
  skipped.params.strategy = skipped.params.family = "nvls";
  skipped.findings = {"not-admitted:nvls"};
  Row few;  // too few samples for an interval
  few.params = skipped.params;
  few.status = Status::ambiguous;
  few.origin = Origin::modelled;
  few.time =
      Statistics{.samples = 2, .median_ns = 10, .interval95_ns = {}, .min_ns = 9, .p90_ns = {}, .p99_ns = {}};
  document.rows = {measured, skipped, few};

  document.published = {{.gpu = "H200",
                         .gpus = 8,
                         .library = "NCCL",
                         .version = "2.29.2",
                         .version_here = "2.28.9",
                         .source = "AIConfigurator",
                         .strategy = "nccl-auto",
                         .dtype = DType::fp16,
                         .mode = Mode::graph,
                         .points = {{16_KiB, 18300, true, 61000}}}};
  document.verdicts = {{.bytes = 2_KiB,
                        .dtype = DType::fp16,
                        .mode = Mode::graph,
                        .winner = "nccl-ring:ll#2",
                        .tied = {},
                        .ratio = 1.25,
                        .ratio_interval = Interval{1.2, 1.3},
                        .reason = ""},
                       {.bytes = 4_KiB,
                        .dtype = DType::bf16,
                        .mode = Mode::eager,
                        .winner = {},
                        .tied = {"ring", "tree"},
                        .ratio = 1.001,
                        .ratio_interval = {},
                        .reason = "needs 3 launches"}};
  SpecResult spec;
  spec.scenario = "kimi";
  spec.title = "Kimi on a box";
  spec.model = "Kimi";
  spec.machine = "box";
  spec.allreduces = 122;
  spec.verify_message = {57344};
  spec.plain_message = {14336};
  spec.inputs = {{"model.layers", 61, "", {}, Origin::reported, ""},
                 {"acceptance.length", 1.9, "tokens", Interval{1.5, 2.5}, Origin::modelled, "worked out"}};
  SpecCandidate candidate;
  candidate.strategy = "custom + nccl-alltoall";
  candidate.layout = "tp+ep";
  candidate.call_ns = 15500;
  candidate.plain_call_ns = 9000;
  candidate.communication_ns = 2e6;
  candidate.verify_ns = 12e6;
  candidate.step_ns = 16e6;
  candidate.plain_step_ns = 6e6;
  candidate.tokens_s = 146.5;
  candidate.plain_tokens_s = 165;
  candidate.break_even_length = 2.25;
  candidate.break_even_call_ns = 3000;
  candidate.best_draft_tokens = 2;
  candidate.best_tokens_s = 175;
  candidate.tokens_s_per_us = 1.5;
  SpecCandidate hopeless = candidate;
  hopeless.break_even_call_ns.reset();
  spec.candidates = {candidate, hopeless};
  SpecReplay replay{"verify", "custom", Mode::graph, 122, 6e6, 1000, {}, 6.1e6, 1.5e6};
  replay.time.samples = 60;
  replay.time.median_ns = 7.6e6;
  replay.time.interval95_ns = Interval{7.5e6, 7.7e6};
  spec.replays = {replay, {"plain", "custom", Mode::eager, 122, 0, 0, {}, {}, {}}};
  spec.memory = {{"tp", 74e9, 23e9, 6e9, 91557, 0.765, Origin::reported}};
  spec.explanations = {{"acceptance length", "tokens a step", 1.9, Interval{1.6, 2.6}, true, "possible"}};
  spec.decides = {"acceptance length to break even: 2.25"};
  spec.recommendation = "tie: it can't be decided";
  spec.confidence = "open";
  spec.curves = {{"custom", "graph", "draft_tokens", "tokens_s", {{1, 165}, {2, 175.5}}}};
  SpecEstimate estimate;
  estimate.verdict = "loses";
  estimate.certainty = "measured";
  estimate.decision = "measured here at batch 8: 372 tok/s with, 455 without: 0.82x (0.80 to 0.84)";
  estimate.rests_on = "rests on: two logs";
  estimate.missing = "missing: the model";
  estimate.batch = 8;
  estimate.drafts = 3;
  estimate.context = 2000;
  estimate.layout = "TP8";
  estimate.acceptance = "acceptance length 2.40 (measured)";
  estimate.length = SpecRange{2.4, 2.3, 2.5};
  estimate.plain_tokens_s = SpecRange{450, 400, 500};
  estimate.speculative_tokens_s = SpecRange{380, 330, 430};
  estimate.speedup = SpecRange{0.82, 0.8, 0.84};
  estimate.pays = 0.0;
  estimate.break_even_length = SpecRange{2.9, 2.6, 3.2};
  estimate.slow_path = SpecSlowPath{0.1, SpecRange{0.6, 0.4, 0.9}};
  estimate.effective_draws = 2400;
  estimate.seed = 20260901;
  estimate.measured = {{8, 3, 372, 455, 2000, 2.4, SpecRange{0.82, 0.8, 0.84}, "", "spec.log", "plain.log"}};
  estimate.observations = {
      {"spec.log", true, 8, 3, 2000, 372, 2.4, true, "", SpecRange{375, 340, 410}, SpecRange{390, 300, 480}}};
  estimate.not_understood = {"'strange_key' changes memory"};
  estimate.used = {"hidden_size"};
  estimate.derived = {"head_dim = 128"};
  estimate.table = {{8, 2000, 3, SpecRange{380, 330, 430}, SpecRange{0.82, 0.8, 0.84},
                     SpecRange{2.9, 2.6, 3.2}, 0.0, false, true}};
  estimate.crossover = {"3 drafts lose"};
  estimate.paste = {{"vLLM", "drafts", {"--speculative-config '{}'"}}};
  estimate.next = "run speculation once";
  estimate.commands = {{"SGLang", "one run", {"python -m sglang.launch_server"}}};
  spec.estimate = estimate;
  document.spec = spec;
  document.findings = {{.kind = "winner",
                        .severity = Severity::note,
                        .subject = "2K fp16 graph",
                        .message = "nccl-ring:ll#2 is the fastest",
                        .evidence = {"launch 0: 1.20", "launch 1: 1.30"},
                        .remedy = ""},
                       {.kind = "not-admitted",
                        .severity = Severity::warning,
                        .subject = "nvls",
                        .message = "multicast needs NVLink",
                        .evidence = {},
                        .remedy = "run on another box"}};
  document.trace = full_trace();
  document.comparison = ComparisonMethod{.base = {.files = {"base.json"},
                                                  .tool = document.tool,
                                                  .machine = "a box",
                                                  .started = "2026-02-01T12:00:00Z"},
                                         .now = {.files = {"a.json", "b.json"},
                                                 .tool = document.tool,
                                                 .machine = "a box",
                                                 .started = document.started},
                                         .judged = true,
                                         .alpha = 0.05,
                                         .calibration = "box.toml",
                                         .confirmation = "5 fresh launches"};
  return document;
}

}  // namespace ringside::test

#include "spec/server_log.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

ServerLog read(const std::string& text) {
  return read_server_log(text, "server.log");
}

}  // namespace

TEST_CASE("an older SGLang's decode lines give length, throughput and running requests") {
  const ServerLog log = read(
      "[2025-02-03 10:00:00 TP0] Prefill batch. #new-seq: 1, #new-token: 28, #cached-token: 0\n"
      "[2025-02-03 10:00:01 TP0] Decode batch. #running-req: 2, #token: 310, token usage: 0.00, accept len: "
      "2.40, gen "
      "throughput (token/s): 140.25, #queue-req: 0\n"
      "[2025-02-03 10:00:02 TP0] Decode batch. #running-req: 2, #token: 410, token usage: 0.00, accept len: "
      "2.60, gen "
      "throughput (token/s): 150.75, #queue-req: 0\n"
      "[2025-02-03 10:00:03 TP0] Decode batch. #running-req: 2, #token: 510, token usage: 0.00, accept len: "
      "2.50, gen "
      "throughput (token/s): 145.00, #queue-req: 0\n");
  CHECK(log.server == "SGLang");
  CHECK(log.lines == 3);
  CHECK(log.acceptance_length->value == 2.5);
  CHECK(log.acceptance_length->low() == 2.4);
  CHECK(log.acceptance_length->high() == 2.6);
  CHECK(log.tokens_s->value == 145);
  CHECK(log.running == 2);
  CHECK(log.rates.empty());
}

TEST_CASE("a newer SGLang's decode lines carry an accept rate and the graph, which change nothing") {
  const ServerLog log = read(
      "[2026-01-05 09:30:00 TP3 EP3] Decode batch, #running-req: 1, #token: 96, token usage: 0.01, accept "
      "len: 1.85, "
      "accept rate: 0.46, cuda graph: True, gen throughput (token/s): 54.10, #queue-req: 0\n");
  CHECK(log.server == "SGLang");
  CHECK(log.acceptance_length->value == 1.85);
  CHECK(log.tokens_s->value == 54.1);
}

TEST_CASE("a plain SGLang server's lines give throughput alone") {
  const ServerLog log = read(
      "Decode batch. #running-req: 1, #token: 96, token usage: 0.01, cuda graph: True, gen throughput "
      "(token/s): 89.00, "
      "#queue-req: 0\n");
  CHECK_FALSE(log.acceptance_length);
  CHECK(log.tokens_s->value == 89);
  CHECK_FALSE(log.tokens_s->range);
}

TEST_CASE("vLLM's metric lines give length, rates by position and throughput, idle intervals left out") {
  const ServerLog log = read(
      "(APIServer pid=7) INFO 02-01 12:00:10 [loggers.py:271] Engine 000: Avg prompt throughput: 10.0 "
      "tokens/s, Avg "
      "generation throughput: 120.5 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.4%\n"
      "(APIServer pid=7) INFO 02-01 12:00:10 [metrics.py:101] SpecDecoding metrics: Mean acceptance length: "
      "2.45, "
      "Accepted throughput: 71.20 tokens/s, Drafted throughput: 147.00 tokens/s, Accepted: 712 tokens, "
      "Drafted: 1470 "
      "tokens, Per-position acceptance rate: 0.760, 0.450, 0.240, Avg Draft acceptance rate: 48.4%\n"
      "(APIServer pid=7) INFO 02-01 12:00:20 [loggers.py:271] Engine 000: Avg prompt throughput: 0.0 "
      "tokens/s, Avg "
      "generation throughput: 0.0 tokens/s, Running: 0 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.0%\n");
  CHECK(log.server == "vLLM");
  CHECK(log.acceptance_length->value == 2.45);
  CHECK(log.rates == std::vector<double>{0.76, 0.45, 0.24});
  CHECK(log.tokens_s->value == 120.5);
  CHECK(log.running == 1);
}

TEST_CASE("an older vLLM's line without rates by position still gives the length") {
  const ServerLog log = read(
      "INFO 05-01 10:00:00 [metrics.py:96] SpecDecoding metrics: Draft acceptance rate: 60.7%, Mean "
      "acceptance length: "
      "3.43, Accepted: 262 tokens, Drafted: 432 tokens\n");
  CHECK(log.acceptance_length->value == 3.43);
  CHECK(log.rates.empty());
}

TEST_CASE("a log that says nothing of it gives nothing") {
  const ServerLog log = read("INFO: Application startup complete.\naccept\naccept len: no\n");
  CHECK(log.server.empty());
  CHECK(log.lines == 0);
  CHECK_FALSE(log.tokens_s);
}

TEST_CASE("a decode line whose accept length is none is no plain server's") {
  for (const char* text : {"nan", "-3", "0.4", "inf"}) {
    CAPTURE(text);
    const ServerLog log = read(std::string("Decode batch. #running-req: 1, accept len: ") + text +
                               ", gen throughput (token/s): 178.86, #queue-req: 0\n");
    CHECK(log.lines == 0);
    CHECK_FALSE(log.tokens_s);
  }
}

TEST_CASE("batch and rate are those of the lines with the commonest number of running requests") {
  const auto line = [](int running, double rate) {
    return "Decode batch. #running-req: " + std::to_string(running) +
           ", gen throughput (token/s): " + std::to_string(rate) + "\n";
  };
  const ServerLog log =
      read(line(1, 90) + line(8, 400) + line(0, 1) + line(8, 420) + line(0, 1) + line(0, 1) + line(8, 410));
  CHECK(log.running == 8);
  CHECK(log.tokens_s->value == Catch::Approx(410));
  CHECK(log.lines == 4);
  CHECK(log.used == 3);
}

TEST_CASE("the range of a long log leaves the tenth at both ends out") {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "Decode batch. accept len: " + std::to_string(2 + 0.01 * i) + "\n";
  const ServerLog log = read(text);
  CHECK(log.acceptance_length->low() == Catch::Approx(2.02));
  CHECK(log.acceptance_length->high() == Catch::Approx(2.17));
}

TEST_CASE("an older vLLM's speculative metrics mark its rate, and their efficiency is a length") {
  const std::string throughput =
      "INFO 03-01 10:00:00 metrics.py:455] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: "
      "40.0 tokens/s, Running: 1 reqs, Swapped: 0 reqs, Pending: 0 reqs\n";
  const ServerLog log = read(
      throughput +
      "INFO 03-01 10:00:00 metrics.py:471] Speculative metrics: Draft acceptance rate: 0.612, System "
      "efficiency: 0.540, Number of speculative tokens: 4, Number of accepted tokens: 245, Number of draft "
      "tokens: 400, Number of emitted tokens: 270.\n");
  CHECK(log.speculative);
  CHECK(log.tokens_s->value == 40);
  CHECK(log.acceptance_length->value == Catch::Approx(0.54 * 5));
  CHECK_FALSE(read(throughput).speculative);
  CHECK(read(throughput + "Speculative metrics: Draft acceptance rate: 0.612\n").speculative);
}

TEST_CASE("colours, carriage returns and what tools put before a line change no speed") {
  const std::string plain =
      "[2026-01-05 09:30:00 TP0] Decode batch, #running-req: 4, #token: 96, token usage: 0.01, accept len: "
      "2.25, accept rate: 0.46, cuda graph: True, gen throughput (token/s): 54.50, #queue-req: 0\n";
  const std::string coloured =
      "server-1  | \x1b[32m[2026-01-05 09:30:00 TP0]\x1b[0m Decode batch, #running-req: \x1b[1m4\x1b[0m, "
      "#token: 96, token usage: 0.01, accept len: \x1b[1m2.25\x1b[0m, accept rate: 0.46, cuda graph: True, "
      "gen "
      "throughput (token/s): \x1b[36m54.50\x1b[0m, #queue-req: 0\r\n";
  for (const std::string& text : {plain, coloured, "[rank3]: " + plain}) {
    const ServerLog log = read(text);
    CHECK(log.running == 4);
    CHECK(log.acceptance_length->value == 2.25);
    CHECK(log.tokens_s->value == 54.5);
  }
}

TEST_CASE("a rate at the end of a coloured line is read to its last digit") {
  const ServerLog log = read(
      "SpecDecoding metrics: Mean acceptance length: 2.45, Per-position acceptance rate: 0.760, "
      "0.450\x1b[0m\r\n");
  CHECK(log.rates == std::vector<double>{0.76, 0.45});
}

TEST_CASE("an endless line hides no speed behind it, and the last one needs no newline") {
  const ServerLog log =
      read(std::string(1'000'000, 'x') +
           "\nDecode batch. #running-req: 1, gen throughput (token/s): 89.00, #queue-req: 0");
  CHECK(log.tokens_s->value == 89);
}

TEST_CASE("a log that is no text is refused by its name") {
  CHECK_THROWS_WITH(read(std::string("\x1f\x8b\0\0", 4)),
                    "server.log: it is no text: a binary or compressed file");
}

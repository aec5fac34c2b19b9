// The yardstick of `scripts/accept host`: MPI_Allreduce timed exactly as ringside times its strategies with
// fresh inputs. A sample is one repetition: a barrier, then `calls` calls, before each of which the rank
// writes its input and behind each of which it reads its output; the slowest rank's time divided by the
// calls. What the writing and reading take without the calls is measured in turn and taken off. Rank 0 prints
// one line of JSON.
//
//   mpirun -np 2 mpi_allreduce BYTES CALLS SECONDS
#define OMPI_SKIP_MPICXX 1  // the C++ bindings of old, which do not compile without warnings
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kFewestSamples = 11;
constexpr int kWarmUps = 3;

// What a rank reads and writes. `source` is longer than a message: calls copy from one place of it or the
// next.
struct Buffers {
  std::vector<float> source;
  std::vector<float> input;
  std::vector<float> output;
};

constexpr std::size_t kPlaces = 64;  // from which an input is copied
constexpr std::size_t kStep = 4;     // elements between two of them

// Volatile, so that the reads are made.
float read_through(const std::vector<float>& values) {
  float sum = 0;
  for (std::size_t i = 0; i < values.size(); i += 16) sum += *static_cast<const volatile float*>(&values[i]);
  return sum;
}

// The slowest rank's time for `calls` calls, in ns; the same number on every rank. Without `make`, of the
// writing and reading alone.
double repeat(Buffers& buffers, int calls, bool make) {
  MPI_Barrier(MPI_COMM_WORLD);
  volatile float kept = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; ++call) {
    const std::size_t place = static_cast<std::size_t>(call) % kPlaces * kStep;
    std::memcpy(buffers.input.data(), buffers.source.data() + place, buffers.input.size() * sizeof(float));
    if (make) {
      MPI_Allreduce(buffers.input.data(), buffers.output.data(), static_cast<int>(buffers.input.size()),
                    MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    }
    kept = kept + read_through(buffers.output);
  }
  const std::chrono::duration<double, std::nano> mine = std::chrono::steady_clock::now() - start;
  double slowest = 0;
  const double own = mine.count();
  MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) {
    if (rank == 0) std::fprintf(stderr, "usage: mpi_allreduce BYTES CALLS SECONDS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const std::size_t bytes = std::strtoull(argv[1], nullptr, 10);
  const int calls = std::atoi(argv[2]);
  const double seconds = std::atof(argv[3]);

  // Small integers: every order of summation is exact.
  Buffers buffers;
  buffers.input.resize(bytes / sizeof(float));
  buffers.output.resize(buffers.input.size(), -1.0f);
  buffers.source.resize(buffers.input.size() + kPlaces * kStep);
  for (std::size_t i = 0; i < buffers.source.size(); ++i)
    buffers.source[i] = static_cast<float>(i % 97) + static_cast<float>(rank);

  for (int i = 0; i < kWarmUps; ++i) repeat(buffers, calls, true);
  std::vector<double> samples;
  std::vector<double> touches;
  double total_ns = 0;
  while (static_cast<int>(samples.size()) < kFewestSamples || total_ns < seconds * 1e9) {
    const double touch_ns = repeat(buffers, calls, false);
    const double time_ns = repeat(buffers, calls, true);
    total_ns += touch_ns + time_ns;
    touches.push_back(touch_ns / calls);
    samples.push_back(time_ns / calls);
  }

  const std::size_t last = static_cast<std::size_t>(calls - 1) % kPlaces * kStep;
  for (std::size_t i = 0; i < buffers.output.size(); ++i) {
    const float expected = static_cast<float>((i + last) % 97) * static_cast<float>(ranks) +
                           static_cast<float>(ranks * (ranks - 1)) / 2;
    if (buffers.output[i] != expected) {
      std::fprintf(stderr, "rank %d: element %zu is wrong\n", rank, i);
      MPI_Abort(MPI_COMM_WORLD, 4);
    }
  }
  if (rank == 0) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(library, &length);
    const std::string name(library, std::find(library, library + length, ','));
    std::printf("{\"library\": \"%s\", \"median_ns\": %.1f, \"samples\": %zu}\n", name.c_str(),
                median(samples) - median(touches), samples.size());
  }
  MPI_Finalize();
}

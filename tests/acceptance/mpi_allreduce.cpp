// The yardstick of `scripts/accept host`: MPI_Allreduce timed exactly as ringside times its strategies. A
// sample is one repetition: a barrier, then `calls` calls, the slowest rank's time divided by the calls. Rank
// 0 prints one line of JSON.
//
//   mpirun -np 2 mpi_allreduce BYTES CALLS SECONDS
#define OMPI_SKIP_MPICXX 1  // the C++ bindings of old, which do not compile without warnings
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int kFewestSamples = 11;
constexpr int kWarmUps = 3;

// The slowest rank's time for `calls` calls, in ns; the same number on every rank.
double repeat(const std::vector<float>& input, std::vector<float>& output, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; ++call) {
    MPI_Allreduce(input.data(), output.data(), static_cast<int>(input.size()), MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
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
  std::vector<float> input(bytes / sizeof(float));
  std::vector<float> output(input.size(), -1.0f);
  for (std::size_t i = 0; i < input.size(); ++i)
    input[i] = static_cast<float>(i % 97) + static_cast<float>(rank);

  for (int i = 0; i < kWarmUps; ++i) repeat(input, output, calls);
  std::vector<double> samples;
  double total_ns = 0;
  while (static_cast<int>(samples.size()) < kFewestSamples || total_ns < seconds * 1e9) {
    const double time_ns = repeat(input, output, calls);
    total_ns += time_ns;
    samples.push_back(time_ns / calls);
  }

  for (std::size_t i = 0; i < output.size(); ++i) {
    const float expected =
        static_cast<float>(i % 97) * static_cast<float>(ranks) + static_cast<float>(ranks * (ranks - 1)) / 2;
    if (output[i] != expected) {
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
                median(samples), samples.size());
  }
  MPI_Finalize();
}

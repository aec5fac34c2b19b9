#include "spec/estimate/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spec/estimate/normal.hpp"
#include "spec/estimate/square_matrix.hpp"

namespace ringside {
namespace {

constexpr std::size_t kPriorDraws = 250;
constexpr std::size_t kRoundDraws = 1000;
constexpr std::size_t kPlainDraws = 2000;  // of the prior, where nothing was observed
constexpr double kModeScale = 1.3;         // of the covariance at the mode
constexpr double kWideScale = 3;           // of a few draws more: the mode isn't always alone
constexpr double kRoundScale = 1.2;        // of the weighted draws' covariance
constexpr double kEnoughDraws = 500;       // effective ones; with fewer, further rounds
constexpr double kTemperedDraws = 90;      // effective ones that an adapted proposal must rest on

// The unknowns that the observations depend on; the others keep their prior.
using Active = std::vector<std::size_t>;

struct Gaussian {
  std::vector<double> mean;
  SquareMatrix lower{0};
  double log_density_at_mean = 0;  // without the constant of 2 pi
};

std::optional<Gaussian> make_gaussian(std::vector<double> mean, SquareMatrix covariance) {
  auto lower = cholesky(covariance);
  if (!lower) return std::nullopt;
  Gaussian gaussian{std::move(mean), std::move(*lower), 0};
  for (std::size_t i = 0; i < gaussian.mean.size(); ++i)
    gaussian.log_density_at_mean -= std::log(gaussian.lower(i, i));
  return gaussian;
}

double log_density(const Gaussian& gaussian, const Standard& point, const Active& active,
                   std::vector<double>& room) {
  room.resize(active.size());
  for (std::size_t i = 0; i < active.size(); ++i) room[i] = point[active[i]] - gaussian.mean[i];
  solve_lower(gaussian.lower, room);
  return gaussian.log_density_at_mean - 0.5 * std::inner_product(room.begin(), room.end(), room.begin(), 0.0);
}

double log_prior(const Standard& point, const Active& active) {
  double sum = 0;
  for (const std::size_t i : active) sum += point[i] * point[i];
  return -0.5 * sum;
}

class Search {
 public:
  Search(const WhitenedResiduals& residuals, std::uint64_t seed) : residuals_(residuals), random_(seed) {}

  SampledPosterior run() {
    find_mode();
    add_draws(kPriorDraws, nullptr);
    std::vector<double> mean;
    for (const std::size_t i : active_) mean.push_back(mode_[i]);
    SquareMatrix covariance = covariance_;
    scale(covariance, kModeScale);
    propose(mean, covariance, kRoundDraws);
    scale(covariance, kWideScale);
    propose(std::move(mean), std::move(covariance), kPriorDraws);
    constexpr int kRounds = 2;
    constexpr int kMostRounds = 6;
    for (int round = 0; round < kMostRounds; ++round) {
      if (round >= kRounds && effective_count(normalised(log_weights(), 1)) >= kEnoughDraws) break;
      adapt();
    }
    weigh();
    return std::move(result_);
  }

 private:
  double misfit(const std::vector<double>& residuals) const {
    return 0.5 * std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
  }

  double energy(const Standard& point) {
    residuals_(point, room_);
    double sum = misfit(room_);
    for (const double value : point) sum += 0.5 * value * value;
    return sum;
  }

  // Rows: derivatives of all residuals by one unknown.
  std::vector<std::vector<double>> slopes(const Standard& point, const std::vector<double>& here) {
    constexpr double kStep = 1e-4;
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < kUnknowns; ++i) {
      Standard moved = point;
      moved[i] += kStep;
      std::vector<double> there;
      residuals_(moved, there);
      for (std::size_t k = 0; k < there.size(); ++k) there[k] = (there[k] - here[k]) / kStep;
      rows.push_back(std::move(there));
    }
    return rows;
  }

  // Gauss-Newton with halved steps; the covariance there is (1 + transposed(J) J)^-1.
  void find_mode() {
    constexpr int kSteps = 30;
    std::vector<std::vector<double>> rows;
    for (int step = 0; step < kSteps; ++step) {
      std::vector<double> here;
      residuals_(mode_, here);
      rows = slopes(mode_, here);
      const SquareMatrix lower = *cholesky(curvature(rows));
      std::vector<double> move(kUnknowns);
      for (std::size_t i = 0; i < kUnknowns; ++i)
        move[i] = -mode_[i] - std::inner_product(rows[i].begin(), rows[i].end(), here.begin(), 0.0);
      solve_lower(lower, move);
      solve_upper(lower, move);
      if (!improve(move)) break;
    }
    for (std::size_t i = 0; i < kUnknowns; ++i) {
      constexpr double kNoSlope = 1e-7;
      if (std::ranges::any_of(rows[i], [](double slope) { return std::abs(slope) > kNoSlope; }))
        active_.push_back(i);
    }
    SquareMatrix part(active_.size());
    const SquareMatrix all = curvature(rows);
    for (std::size_t i = 0; i < active_.size(); ++i)
      for (std::size_t k = 0; k < active_.size(); ++k) part(i, k) = all(active_[i], active_[k]);
    covariance_ = inverse_of(*cholesky(part));
  }

  static SquareMatrix curvature(const std::vector<std::vector<double>>& rows) {
    SquareMatrix matrix(kUnknowns, 1.0);
    for (std::size_t i = 0; i < kUnknowns; ++i)
      for (std::size_t k = 0; k < kUnknowns; ++k)
        matrix(i, k) += std::inner_product(rows[i].begin(), rows[i].end(), rows[k].begin(), 0.0);
    return matrix;
  }

  // False where the mode is reached.
  bool improve(const std::vector<double>& move) {
    const double before = energy(mode_);
    for (double share = 1; share > 1e-3; share /= 2) {
      Standard moved = mode_;
      for (std::size_t i = 0; i < kUnknowns; ++i) moved[i] += share * move[i];
      const double after = energy(moved);
      if (!(after < before)) continue;
      mode_ = moved;
      return before - after > 1e-6;
    }
    return false;
  }

  static void scale(SquareMatrix& covariance, double factor) {
    for (std::size_t i = 0; i < covariance.size(); ++i)
      for (std::size_t k = 0; k < covariance.size(); ++k) covariance(i, k) *= factor;
  }

  void propose(std::vector<double> mean, SquareMatrix covariance, std::size_t count) {
    const auto gaussian = make_gaussian(std::move(mean), std::move(covariance));
    if (!gaussian) return;
    proposals_.push_back(*gaussian);
    std::vector<double>& densities = densities_.emplace_back();
    for (const Standard& point : result_.draws) densities.push_back(relative_density(*gaussian, point));
    add_draws(count, &*gaussian);
  }

  // Of a proposal, by the prior's.
  double relative_density(const Gaussian& gaussian, const Standard& point) {
    return std::exp(log_density(gaussian, point, active_, room_) - log_prior(point, active_));
  }

  void add_draws(std::size_t count, const Gaussian* from) {
    for (std::size_t n = 0; n < count; ++n) {
      Standard point;
      for (double& value : point) value = random_.next();
      if (from != nullptr) move_to(*from, point);
      residuals_(point, room_);
      log_likelihood_.push_back(-misfit(room_));
      result_.draws.push_back(point);
      for (std::size_t p = 0; p < proposals_.size(); ++p)
        densities_[p].push_back(relative_density(proposals_[p], point));
    }
    counts_.push_back(count);
  }

  // A standard point becomes one of the Gaussian, where the observations matter.
  void move_to(const Gaussian& gaussian, Standard& point) {
    room_.clear();
    for (const std::size_t i : active_) room_.push_back(point[i]);
    for (std::size_t i = 0; i < active_.size(); ++i) {
      double value = gaussian.mean[i];
      for (std::size_t k = 0; k <= i; ++k) value += gaussian.lower(i, k) * room_[k];
      point[active_[i]] = value;
    }
  }

  // Logarithms of prior x likelihood / mixture of all proposals so far.
  std::vector<double> log_weights() const {
    const double total = static_cast<double>(result_.draws.size());
    std::vector<double> logs;
    for (std::size_t n = 0; n < result_.draws.size(); ++n) {
      double mixture = static_cast<double>(counts_[0]) / total;
      for (std::size_t p = 0; p < proposals_.size(); ++p)
        mixture += static_cast<double>(counts_[p + 1]) / total * densities_[p][n];
      logs.push_back(log_likelihood_[n] - std::log(mixture));
    }
    return logs;
  }

  static std::vector<double> normalised(const std::vector<double>& logs, double power) {
    const double top = *std::ranges::max_element(logs);
    std::vector<double> weights;
    double sum = 0;
    for (const double log : logs) sum += weights.emplace_back(std::exp(power * (log - top)));
    for (double& weight : weights) weight /= sum;
    return weights;
  }

  void adapt() {
    const std::vector<double> logs = log_weights();
    double power = 1;
    std::vector<double> weights = normalised(logs, power);
    while (effective_count(weights) < kTemperedDraws && power > 0.01)
      weights = normalised(logs, power *= 0.8);
    const std::size_t size = active_.size();
    std::vector<double> mean(size, 0.0);
    for (std::size_t n = 0; n < weights.size(); ++n)
      for (std::size_t i = 0; i < size; ++i) mean[i] += weights[n] * result_.draws[n][active_[i]];
    SquareMatrix covariance(size, 1e-6);
    for (std::size_t n = 0; n < weights.size(); ++n) {
      if (weights[n] < 1e-9) continue;
      for (std::size_t i = 0; i < size; ++i) {
        const double off = weights[n] * (result_.draws[n][active_[i]] - mean[i]);
        for (std::size_t k = 0; k <= i; ++k)
          covariance(i, k) += off * (result_.draws[n][active_[k]] - mean[k]);
      }
    }
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = i + 1; k < size; ++k) covariance(i, k) = covariance(k, i);
    scale(covariance, kRoundScale);
    propose(std::move(mean), std::move(covariance), kRoundDraws);
  }

  void weigh() {
    const std::vector<double> logs = log_weights();
    const double top = *std::ranges::max_element(logs);
    double sum = 0;
    for (const double log : logs) sum += std::exp(log - top);
    result_.log_evidence = top + std::log(sum / static_cast<double>(logs.size()));
    result_.weights = normalised(logs, 1);
    result_.effective_draws = effective_count(result_.weights);
  }

  const WhitenedResiduals& residuals_;
  NormalDraws random_;
  Standard mode_{};
  Active active_;
  SquareMatrix covariance_{0};
  std::vector<Gaussian> proposals_;
  std::vector<std::vector<double>> densities_;  // of each proposal at each draw, by the prior's
  std::vector<std::size_t> counts_;             // of draws: of the prior, then of each proposal
  std::vector<double> log_likelihood_;
  std::vector<double> room_;
  SampledPosterior result_;
};

}  // namespace

double effective_count(const std::vector<double>& weights) {
  const double squares = std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
  return squares > 0 ? 1 / squares : 0;
}

std::vector<Standard> SampledPosterior::resampled(std::size_t count, std::uint64_t seed) const {
  NormalDraws random(seed);
  const double first = random.uniform();
  std::vector<Standard> chosen;
  double below = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double mark = (static_cast<double>(i) + first) / static_cast<double>(count);
    while (next + 1 < draws.size() && below + weights[next] < mark) below += weights[next++];
    chosen.push_back(draws[next]);
  }
  return chosen;
}

SampledPosterior sample_posterior(const WhitenedResiduals& residuals, std::size_t observations,
                                  std::uint64_t seed) {
  if (observations > 0) return Search(residuals, seed).run();
  NormalDraws random(seed);
  SampledPosterior prior;
  for (std::size_t n = 0; n < kPlainDraws; ++n) {
    Standard point;
    for (double& value : point) value = random.next();
    prior.draws.push_back(point);
  }
  prior.weights.assign(kPlainDraws, 1.0 / static_cast<double>(kPlainDraws));
  prior.effective_draws = static_cast<double>(kPlainDraws);
  return prior;
}

}  // namespace ringside

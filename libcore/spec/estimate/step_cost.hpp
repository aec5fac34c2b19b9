#pragma once

#include <vector>

#include "spec/estimate/kernels.hpp"
#include "spec/estimate/point.hpp"
#include "spec/estimate/workload.hpp"

namespace ringside {

// What one forward pass costs by the fits, before the unknown factors of a server. Microseconds of one GPU.
struct ForwardCost {
  double simple_layers = 0;   // dense layers with keys and values
  double complex_layers = 0;  // mixtures, latent or linear attention
  KernelCost gemm;            // all dense matrices, the head among them
  KernelCost attention;
  std::vector<ExpertCall> experts;
  double collectives_us = 0;
};

// One step at a point: a plain pass, or a verify pass and its draft steps.
struct StepCost {
  ForwardCost target;
  ForwardCost draft;  // one draft step
  double draft_steps = 0;
  double batch = 1;
  double rows = 1;  // of the target's pass
  bool speculative = false;
};

// How far the sums of a workload may be off, one sigma of the log each.
struct CostSigmas {
  double gemm = 0.1;
  double experts = 0.2;
  double attention = 0.15;
  double collectives = 0.3;
};

// Prices steps of a workload. Holds references: the workload lives longer.
class StepPricing {
 public:
  explicit StepPricing(const ServerWorkload& workload);

  StepCost price(const StepPoint& point) const;
  CostSigmas sigmas() const;

  // No step can be shorter: weights and keys and values over the data sheet's bandwidth, messages over the
  // link of the largest collective that is known. 0 where the GPU is unknown.
  double floor_us(const StepPoint& point) const;

  const GpuPrior& gpu() const { return gpu_; }
  bool gpu_known() const { return !gpu_.assumed; }
  const CollectiveTimes& allreduce() const { return allreduce_; }
  bool complex() const;  // most layers are

 private:
  struct Pass {
    double sequences = 1;  // of the whole server
    double rows = 1;       // of a sequence
    double context = 1024;
    int tp = 1;  // GPUs of this model
    int attention_dp = 1;
  };

  void add_group(ForwardCost& cost, const LayerGroup& group, int hidden, const Pass& pass) const;
  void add_attention(ForwardCost& cost, const LayerGroup& group, int hidden, const Pass& pass) const;
  void add_feed_forward(ForwardCost& cost, const LayerGroup& group, int hidden, const Pass& pass) const;
  void add_collectives(ForwardCost& cost, const LayerGroup& group, int hidden, const Pass& pass) const;
  void add_ends(ForwardCost& cost, const Weights& head, double vocabulary, int hidden,
                const Pass& pass) const;
  void add_gemm(ForwardCost& cost, WeightFormat format, double count, double m, double n, double k) const;
  double allreduce_us(double bytes) const;
  ForwardCost price_target(const StepPoint& point) const;
  ForwardCost price_draft(const StepPoint& point) const;
  LayerGroup assumed_draft_layer() const;

  const ServerWorkload& workload_;
  GpuPrior gpu_;
  CollectiveTimes allreduce_;
};

}  // namespace ringside

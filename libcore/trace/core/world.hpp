#pragma once

#include <map>
#include <set>
#include <string>

#include "trace/core/pipeline.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

struct RankPosition {
  int tp = 0;
  int pp = 0;
  int ep = 0;
};

// What the names in conditions mean while one rank is being followed. Names are in families:
//   args.F        a server argument, as given, defaulted or adjusted so far
//   env.V         a variable of the environment; env_set.V whether it is set
//   model.K       a key of the model's configuration; model.architecture, model.num_experts whatever its key
//   is class.name, class.has_hook, class.METHOD   the model class of the current worker draft.K       a key
//   of the draft model's configuration worker.draft, worker.nextn; rank.tp, rank.pp, rank.ep gpu.T         a
//   test of the hardware, such as gpu.is_sm120_supported forward.tokens, forward.mode               of the
//   forward that is being looked at state.S       what steps have set; memory.M  gigabytes
class World {
 public:
  World(const Pipeline& pipeline, const Launch& launch, RankPosition rank);

  Value get(const std::string& name) const;
  void set(const std::string& name, Value value);  // args.*, env.* or state.*

  Worker worker() const { return worker_; }
  void enter(Worker worker) { worker_ = worker; }

  // The class of the current worker's model; null when the architecture, or the class, is not known.
  const ModelClass* model_class() const;
  Value architecture() const;

  const std::map<std::string, Value>& args() const { return args_; }
  bool rank_was_read() const { return rank_was_read_; }
  bool gpu_was_asked() const { return gpu_was_asked_; }  // for something that is not known

 private:
  Value argument(const std::string& field) const;
  Value variable(const std::string& name) const;
  Value model_fact(const LaunchModel& model, const std::string& key) const;
  Value draft_fact(const std::string& key) const;
  Value class_fact(const std::string& name) const;
  Value state(const std::string& name) const;
  Value hardware(const std::string& name) const;
  Value draft_architecture() const;

  const Pipeline& pipeline_;
  const Launch& launch_;
  RankPosition rank_;
  Worker worker_ = Worker::main;
  std::map<std::string, Value> args_, environment_, state_;
  mutable bool rank_was_read_ = false;
  mutable bool gpu_was_asked_ = false;
};

}  // namespace ringside

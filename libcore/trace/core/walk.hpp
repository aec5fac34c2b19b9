#pragma once

#include <map>
#include <string>
#include <vector>

#include "trace/core/evaluate.hpp"
#include "trace/core/world.hpp"

namespace ringside {

// Follows one rank through the pipeline.
class Walk {
 public:
  Walk(const Pipeline& pipeline, const Launch& launch, RankPosition rank);
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  void run();

  const World& world() const { return world_; }
  Evaluation result;  // ranks are left empty: who merges several walks knows them

 private:
  enum class End { normal, left, died };

  End run_procedure(const std::string& name, bool certain);
  End run_step(const Step& step, bool certain);
  End perform(const Step& step, const Judgement& guard, bool certain);
  End call(const Step& step, bool certain);
  End forward(const Step& step, const Judgement& guard, bool certain);
  bool any_class_asks();
  std::string why_no_class() const;
  bool dispatch_at(const DispatchSite& site, bool certain);
  void assign(const Step& step, const Judgement& guard, bool certain);
  End check(const Step& step, const Judgement& guard, bool certain);
  End size_memory(const Step& step, const Judgement& guard, bool certain);
  End die(const Step& step, const Judgement& guard, const std::string& message, bool certain);
  bool passed_over(const Step& step, const Judgement& judged) const;
  void not_evaluated(const Step& step, const std::string& what, const std::string& why);
  void not_decided(const Step& step, const std::string& what, const std::string& why);
  void mark_origin(const std::vector<std::string>& names);

  TraceStep& record(const Step& step, const Judgement& guard, std::string effect, StepResult result);
  std::vector<std::pair<std::string, std::string>> values_of(const std::vector<std::string>& names) const;
  std::string filled(const std::string& text) const;

  const Pipeline& pipeline_;
  const Launch& launch_;
  World world_;
  Lookup lookup_;
  std::vector<Place> stack_;  // of the calls and forward frames we are in
  int calls_ = 0;
  std::string phase_;                          // of the forward we are in
  std::map<std::string, std::size_t> set_by_;  // name -> index of the trace step that set it last
};

}  // namespace ringside

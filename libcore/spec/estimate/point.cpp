#include "spec/estimate/point.hpp"

namespace ringside {

StepPoint plain_point(int batch, double context) {
  StepPoint point;
  point.batch = batch;
  point.context = context;
  return point;
}

StepPoint chain_point(int batch, int drafts, double context) {
  StepPoint point = plain_point(batch, context);
  point.drafts = drafts;
  point.verify_rows = drafts + 1;
  point.draft_steps = drafts;
  return point;
}

StepPoint tree_point(int batch, int levels, int width, int candidates, double context) {
  StepPoint point = chain_point(batch, levels, context);
  point.verify_rows = candidates;
  point.draft_width = width;
  return point;
}

}  // namespace ringside

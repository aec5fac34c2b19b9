#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/finding.hpp"
#include "model/interval.hpp"
#include "report/figure.hpp"
#include "report/grid.hpp"

namespace ringside {

// A result as plain data that every format can render: a file of views/ makes it of one kind of result, a
// file of render/ writes it in one format.

using Facts = std::vector<std::pair<std::string, std::string>>;  // names and values, in order

// How much room a format has; a View has its parts in the order in which they are read there.
enum class Room {
  terminal,  // little, and the last lines are seen first
  document,  // text that is kept, read from its beginning
  page,      // as much as wanted: what few need is folded
};

// What a format takes of a View; what it doesn't stays empty.
struct ViewRequest {
  Room room = Room::document;
  bool verbose = false;  // evidence, notes and the details that a short answer leaves out
  bool sections = false;
  bool figures = false;  // among the sections
  bool tests = false;
  bool benchmarks = false;
  bool timeline = false;
  bool summary = false;  // of the sections the answers and findings alone: the result stands beside others
};

// A line above the results, with a word before it: "machine", "method".
struct HeadLine {
  std::string label;  // may be empty
  std::string text;
  Style style = Style::heading;  // of the label
  bool alert = false;            // not to be overlooked: the numbers are not what they seem
};

// Which binary measured where, when and by which command.
struct Provenance {
  std::string machine, command, started, tool;
  Facts machine_facts;
  Facts environment;
};

// The parts of a View.

// A cell of a Matrix. All texts are one line; all but `value` may be empty.
struct MatrixCell {
  std::string mark = {};   // right before the value: "*", "="
  std::string value = {};  // "1.83", or a word
  std::string aside = {};  // beside the value, in a place of its own: "±8%"
  std::string brief = {};  // in place of the value where room is short; empty: the value
  Style style = Style::plain;
  double behind = 0;        // how many times the best of its line; 0: not a number to compare
  std::string change = {};  // against an earlier measurement: "slower"
};

struct MatrixColumn {
  std::vector<std::string> header;  // lines; the one of a candidate may be broken behind - and :
  Align align = Align::right;
  std::vector<MatrixCell> cells;
};

// Candidates across, what they are measured at down. Wider than a terminal where there are many.
struct Matrix {
  std::string subject;  // "allreduce bf16 graph, 2 ranks"
  std::string what;     // "us per call (median, slowest rank)"
  std::string key;      // "size"
  std::vector<std::string> keys;
  std::vector<MatrixColumn> candidates;  // empty: `what` says why there is no table
  std::optional<MatrixColumn> verdicts;
  std::vector<MatrixColumn> best;  // numbers of the best of each line
};

// What the symbols in the matrices before it mean.
struct Legend {
  std::string text;
};

// A sentence about the table before it.
struct Remark {
  std::string text;
};

struct FindingItem {
  std::string kind = {};  // "rank-lost"
  Severity severity = Severity::note;
  std::string word;       // what it is to the reader: "error", "cause", "skipped"
  std::string label;      // the word where ten columns are too many
  std::string tone = {};  // of a page: error, warning, note, cause, remedy
  Style style = Style::plain;
  std::string text;
  std::string about = {};  // its subject, where the text names it only beside the others; may be empty
  std::vector<std::string> evidence = {};
  std::string remedy = {};
  std::vector<std::string> patch = {};  // lines to be shown as they are
};

struct Findings {
  std::vector<FindingItem> items;
  std::vector<FindingItem> skipped;  // why cases were skipped
  std::size_t untold_notes = 0;      // notes that nothing else in the View says
  bool story = false;                // they belong together: none is left out, and their order counts
};

// "what is so", and what that rests on.
struct Answer {
  std::string label;       // "verdict"
  std::string about = {};  // what it is the answer for, or its short form
  std::string text;
  std::string below = {};
  std::vector<std::string> reasons = {};  // what decides
  Style style = Style::heading;
};

struct Answers {
  std::vector<Answer> answers;
  bool single = false;  // there can be one only: a text need not say what it is about
};

// One step of a course of events.
struct StepItem {
  int depth = 0;  // from 0
  std::string who, where, what;
  std::string hedge = {};  // before `what`, where it did not surely happen: "skipped", "perhaps"
  std::string state;       // a word: "ran", "skipped", "undecided", "died"
  std::string mark = {};   // why it stands out: "died here"; may be empty
  bool fatal = false;
  bool dull = false;  // shown when all are asked for
  std::optional<double> time_s = {};
  std::string because = {};    // what decided it
  bool explained = false;      // `because` belongs to it even in short
  std::string condition = {};  // under which it happens; empty: always
  Facts details = {};          // all that is known of it
};

struct StepList {
  std::vector<StepItem> steps;
  std::size_t hidden = 0;  // those that are left out here
};

// Where a program ended.
struct Backtrace {
  struct Frame {
    std::string place;
    std::string source = {};  // the line's text; may be empty
  };
  std::string error;
  std::string message;  // its first line; may be empty
  std::string phase = {}, worker = {}, ranks = {};
  std::vector<Frame> frames;           // outermost first
  std::size_t hidden = 0;              // frames, outer ones, that are left out here
  std::vector<std::string> more = {};  // further lines of the message
};

// Changes that lead elsewhere.
struct Alternatives {
  struct Item {
    std::string changes, outcome, gives_up;
  };
  std::vector<Item> items;
};

struct FactList {
  std::string title;
  Facts facts;
};

// Words of a program, or of its configuration.
struct CodeLines {
  std::string title;
  std::vector<std::string> lines;
};

using Part = std::variant<TitledGrid, Matrix, Legend, Remark, std::vector<Figure>, Findings, Answers,
                          StepList, Backtrace, Alternatives, FactList, CodeLines>;

struct Section {
  std::string topic;  // sections of one topic stand together: "times"
  Part part;
  std::string fold = {};  // the line below which a page hides it; neighbours with the same share it
};

// A test of a suite, as test reports have them.
struct TestCase {
  enum class Outcome { passed, skipped, failure, error };
  std::string group;
  std::string name;
  Outcome outcome = Outcome::passed;
  std::string type = {};                 // of a failure or an error
  std::string message = {};              // why it did not pass
  std::vector<std::string> detail = {};  // lines
  std::optional<double> time_ns = {};
  std::string output = {};  // for people
};

struct TestSuite {
  std::string name;
  std::string started = {};
  double elapsed_s = 0;
  Facts properties = {};
  std::vector<TestCase> cases;
};

// Numbers that are followed over time, under a name that is the same in every run.
struct Measure {
  std::string name;  // "latency"
  double value = 0;  // may be no number: then there is none
  std::optional<Interval> interval = {};
  std::string unit = {};  // for people; empty: not for tools that follow what should be small
  double per_unit = 1;    // value / per_unit is in that unit
};

struct Benchmark {
  std::string name;
  std::vector<Measure> measures;
  std::string extra = {};  // what the numbers were made of
};

struct TimelineEvent {
  std::string name;
  std::string category = {};
  std::string track;
  std::optional<double> time_s = {};  // absent: only its place in the order is known
  Facts facts = {};
  Facts decided_by = {};
  bool alarming = false;
};

struct Timeline {
  std::string title;
  std::vector<TimelineEvent> events;
};

struct View {
  std::string name;        // among several results; else empty
  std::string heading;     // "ringside probe-comm"
  std::string command;     // "probe-comm"
  std::string title;       // "allreduce on 2 x NVIDIA H200"
  int least_columns = 40;  // of a terminal: what is narrower can't be read
  std::vector<HeadLine> head;
  Provenance provenance;
  std::vector<Section> sections;
  std::vector<View> parts;  // of a page of several results: each by its name
  TestSuite tests;
  std::vector<Benchmark> benchmarks;
  std::optional<Timeline> timeline;
};

}  // namespace ringside

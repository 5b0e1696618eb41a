// A learned predictor by names: what is printed, saved, shown again and applied to other tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fsieve/result.h"
#include "fsieve/source.h"

namespace fsieve {

enum class Learner {
  fourier,     // 004 Algorithm 1
  low_degree,  // Linial, Mansour, Nisan: every product of at most k features
  erm          // the table of k features with the fewest errors
};

enum class Basis {
  product,    // products of standardised features: orthonormal where the features are independent
  correlated  // these products made orthonormal on the data
};

// A column's own value: a number or a text.
using ColumnValue = std::variant<double, std::string>;

// A two-valued feature: `low` is −1, `high` is +1.
struct ModelFeature {
  std::string name;       // "age", or "colour=red" for an indicator
  std::size_t index = 0;  // zero-based position of its column in the training file
  ColumnValue low;
  ColumnValue high;
  double mean = 0;                    // of the ±1 values
  double deviation = 0;               // of the ±1 values
  std::optional<double> threshold;    // of a number that was cut: high is above it
  std::optional<std::string> level;   // of an indicator: high (1) is this level
  std::string column;                 // the column in the file
  std::vector<std::string> levels;    // of an indicator's column, all that training saw
  std::optional<std::string> pooled;  // the level that stands for all others
};

struct Candidate {
  std::vector<std::string> features;
  std::optional<double> score;       // none: not finite
  std::vector<std::size_t> indices;  // of its features' columns in the training file, zero-based
};

struct Coefficient {
  std::vector<std::string> features;
  double value = 0;
};

// A row of the truth table.
struct ModelCell {
  std::vector<bool> high;      // per feature of the subset
  std::uint64_t count = 0;     // training rows
  std::uint64_t positive = 0;  // of these, with the second class
  double value = 0;            // what is predicted, before the sign is taken
  bool prediction = false;     // the second class
};

// How well labels that were dealt to the rows at random do, each searched as the true ones were.
struct ShuffleTest {
  std::uint64_t permutations = 0;
  std::uint64_t as_good = 0;  // whose best score is the model's, or better
  double median = 0;          // of their best scores
  double largest = 0;

  // How often the best of all subsets is as good by chance alone.
  [[nodiscard]] double p_value() const {
    return (1 + static_cast<double>(as_good)) / (1 + static_cast<double>(permutations));
  }
};

struct Model {
  std::string version;
  Learner learner = Learner::fourier;
  Basis basis = Basis::product;
  std::vector<Parameter> parameters;
  std::string source;  // file name as given
  std::uint64_t rows = 0;
  std::size_t feature_count = 0;  // of the file
  std::string label;
  std::array<std::string, 2> classes;                  // −1 and +1
  std::optional<std::array<double, 2>> class_weights;  // of a row of each; none: all rows count 1
  std::vector<std::string> subset;                     // in input order
  double score = 0;
  double training_error = 0;             // share of the training rows
  std::optional<double> weighted_error;  // the same by class_weights
  std::optional<ShuffleTest> shuffled;
  std::uint64_t subsets = 0;              // how many were scored
  std::vector<Candidate> candidates;      // best first
  std::vector<ModelFeature> features;     // of the subset
  std::vector<Coefficient> coefficients;  // largest first
  std::vector<ModelCell> table;           // none: low_degree
  std::optional<std::string> formula;     // when the second class is predicted
  std::vector<IgnoredColumn> ignored;     // in input order
  std::vector<std::string> warnings;
  std::optional<Timing> timing;

  // Where nothing is known: the more frequent class (of two equal ones the second).
  [[nodiscard]] bool majority() const;
};

[[nodiscard]] std::string_view name_of(Learner learner);
[[nodiscard]] std::string_view name_of(Basis basis);

// One JSON object, as docs/schema/learn.json describes it, with a line end.
[[nodiscard]] std::string to_json(const Model& model);

// Is this text a model rather than a result of another command?
[[nodiscard]] bool is_model(const std::string& text);

// Reads what to_json wrote. Throws Error, naming `file`, on anything else.
[[nodiscard]] Model model_from_json(const std::string& text, const std::string& file);

// The report for people.
[[nodiscard]] std::string to_report(const Model& model, const TextStyle& style);

enum class Unseen {
  error,    // a value that training never saw is an Error that names it
  majority  // its row gets the more frequent class, with score 0
};

// What was predicted by the readers of a predicted source.
struct PredictionCounts {
  std::uint64_t rows = 0;
  std::array<std::uint64_t, 2> predicted{};
  std::uint64_t unseen = 0;    // rows with a value that training never saw
  std::uint64_t labelled = 0;  // rows whose label is one of the two classes
  std::uint64_t right = 0;     // of these, predicted as such
};

// A table with the columns `prediction` and `score` added to `source`, made as its rows are read.
// `first_row` is the number of the source's first row in messages. `source`, `model` and `counts`
// must outlive it. Throws Error where a column of the model is missing.
[[nodiscard]] std::unique_ptr<Source> predicted(const Model& model, const Source& source,
                                                Unseen unseen, std::uint64_t first_row,
                                                PredictionCounts& counts);

}  // namespace fsieve

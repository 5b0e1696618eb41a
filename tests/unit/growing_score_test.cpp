// The score of a growing span, beside the same sums made anew, row after row, from the whole span.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "measure/growing_score.h"
#include "measure/span_score.h"
#include "span/span.h"

namespace fsieve {
namespace {

constexpr std::size_t scored_rows = 700;

std::vector<double> noise(std::mt19937_64& random, std::size_t count) {
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

// `classes`: 0 for a number.
Label label_of(std::size_t classes, bool weighted, std::mt19937_64& random) {
  Label label;
  label.rows = scored_rows;
  label.classification = classes > 0;
  for (std::size_t c = 0; c < classes; ++c) label.classes.push_back(std::to_string(c));
  for (std::size_t i = 0; i < scored_rows; ++i) {
    if (classes > 0) label.codes.push_back(random() % classes);
    if (classes == 2) label.numbers.push_back(label.codes[i] == 0 ? -1 : 1);
    if (weighted) label.weights.push_back(static_cast<double>(1 + random() % 3));
  }
  if (classes == 0) label.numbers = noise(random, scored_rows);
  for (std::size_t i = 0; i < scored_rows; ++i) label.weight += label.weight_of(i);
  return label;
}

// Nothing is kept from step to step, and every row by itself.
double anew(const Label& label, const Span& span) {
  const std::size_t n = label.rows;
  std::vector<double> residual = label.scaled_columns();
  std::vector<double> leverages(n);
  for (std::size_t k = 0; k < span.rank(); ++k) {
    const double* function = span.functions(k);
    for (std::size_t i = 0; i < n; ++i) leverages[i] += function[i] * function[i];
    for (std::size_t y = 0; y < label.columns(); ++y) {
      double inner = 0;
      for (std::size_t i = 0; i < n; ++i) inner += function[i] * residual[y * n + i];
      for (std::size_t i = 0; i < n; ++i) residual[y * n + i] -= inner * function[i];
    }
  }
  double mean = 0;
  for (std::size_t i = 0; i < n && !label.classification; ++i) {
    mean += label.weight_of(i) * label.numbers[i] / label.weight;
  }
  ScoreSum sum(measure_of(label), label.weight, mean);
  for (std::size_t i = 0; i < n; ++i) {
    sum.add(label.weight_of(i), label.numbers.empty() ? 0 : label.numbers[i],
            label.classification ? label.codes[i] : 0, residual.data() + i, label.columns(), n,
            leverages[i]);
  }
  return sum.score();
}

TEST(GrowingScore, IsTheScoreOfTheWholeSpan) {
  std::mt19937_64 random(5);
  for (const std::size_t classes : {0U, 2U, 3U, 7U}) {
    for (const bool weighted : {false, true}) {
      const Label label = label_of(classes, weighted, random);
      std::vector<double> constant(scored_rows);
      for (std::size_t i = 0; i < scored_rows; ++i) {
        constant[i] = std::sqrt(label.weight_of(i) / label.weight);
      }
      Span span(constant);
      std::vector<double> left = label.scaled_columns();
      GrowingScore own(label, false);
      GrowingScore followed(label, true);
      for (std::size_t step = 0; step < 6; ++step) {
        const std::size_t known = own.functions();
        const std::span<const double> added(span.functions(known),
                                            (span.rank() - known) * scored_rows);
        own.add(added);
        followed.add(added);
        for (std::size_t k = known; k < span.rank(); ++k) {
          for (std::size_t y = 0; y < label.columns(); ++y) {
            double inner = 0;
            for (std::size_t i = 0; i < scored_rows; ++i) {
              inner += span.functions(k)[i] * left[y * scored_rows + i];
            }
            for (std::size_t i = 0; i < scored_rows; ++i)
              left[y * scored_rows + i] -= inner * span.functions(k)[i];
          }
        }
        const double expected = anew(label, span);
        EXPECT_NEAR(own.score({}), expected, 1e-12) << classes << " classes, step " << step;
        EXPECT_NEAR(followed.score(left), expected, 1e-12) << classes << " classes, step " << step;
        EXPECT_NEAR(span_score(label, {span.functions(), span.rank() * scored_rows}), expected,
                    1e-12);
        span.add(noise(random, (1 + step % 3) * scored_rows), 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace fsieve

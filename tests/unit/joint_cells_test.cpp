// What varies within the cells of some categories, beside plain loops over the rows of each cell.
#include "span/joint_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "source/whole_table.h"
#include "span/row_levels.h"
#include "weighted_tables.h"

namespace fsieve {
namespace {

constexpr std::size_t cell_rows = 400;

// Categories of 3, 4 and 6 levels, a number of two values, a number; the third level of the last
// category follows from the first two.
MemorySource categories_and_numbers(bool has_weights) {
  testing::Random random(12);
  testing::Table table{
      {random.codes(cell_rows, 3), random.codes(cell_rows, 4), random.codes(cell_rows, 6)},
      {3, 4, 6},
      {}};
  testing::Columns& columns = table.columns;
  columns.emplace_back();
  for (std::size_t i = 0; i < cell_rows; ++i) {
    if (columns[2][i] == 2) columns[2][i] = 1;
    if (columns[0][i] == 1 && columns[1][i] == 3) columns[2][i] = 2;
    columns[3].push_back(random.below(3) == 0 ? 7.5 : -2);
  }
  columns.push_back(random.normals(cell_rows));
  for (std::size_t i = 0; i < cell_rows; ++i) {
    table.weights.push_back(static_cast<double>(random.below(4)));
  }
  return has_weights ? testing::weighted(table) : testing::unweighted(table);
}

// By the cells of some columns of the table: how much of a design column varies within them.
double within(const MemorySource& source, const Design& design,
              const std::vector<std::size_t>& members, std::size_t column) {
  const Block all = whole_table(source);
  std::vector<double> values(cell_rows);
  design.standardised(all, 0, cell_rows, column, values.data());
  struct Sums {
    double weight = 0;
    double sum = 0;
    double squares = 0;
  };
  std::map<std::vector<double>, Sums> cells;
  for (std::size_t i = 0; i < cell_rows; ++i) {
    std::vector<double> key;
    for (const std::size_t j : members) key.push_back(all.column(j)[i]);
    const double weight = all.weights.empty() ? 1 : all.weights[i];
    Sums& cell = cells[key];
    cell.weight += weight;
    cell.sum += weight * values[i];
    cell.squares += weight * values[i] * values[i];
  }
  double left = 0;
  for (const auto& [key, cell] : cells) {
    if (cell.weight > 0) left += cell.squares - cell.sum * cell.sum / cell.weight;
  }
  return left / design.weight;
}

class Cells : public ::testing::TestWithParam<bool> {};

TEST_P(Cells, LeaveOfAFeatureWhatVariesInThem) {
  NoProgress progress;
  const MemorySource source = categories_and_numbers(GetParam());
  const Design design = make_design(source, progress);
  JointCells cells(source, design);
  std::vector<std::size_t> members;
  for (const std::size_t member : {std::size_t{3}, std::size_t{0}, std::size_t{1}}) {
    cells.refine(member);
    members.push_back(member);
    for (std::size_t j = 0; j < design.features.size(); ++j) {
      double most = 0;
      for (std::size_t c = design.features[j].first; c < design.features[j].last; ++c) {
        most = std::max(most, within(source, design, members, c));
      }
      EXPECT_NEAR(cells.left_of(j), most, 1e-12) << j << " beside " << members.size();
    }
  }
  EXPECT_EQ(cells.count(), 24U);
  EXPECT_LT(within(source, design, members, design.features[2].first + 1), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Weights, Cells, ::testing::Bool());

TEST(Cells, AreOfCategoriesAndOfNumbersOfTwoValues) {
  NoProgress progress;
  const MemorySource source = categories_and_numbers(false);
  const Design design = make_design(source, progress);
  EXPECT_TRUE(has_levels(design, 0));
  EXPECT_TRUE(has_levels(design, 3));
  EXPECT_FALSE(has_levels(design, 4));
}

}  // namespace
}  // namespace fsieve

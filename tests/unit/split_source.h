// A table in parts, as other machines would hold it: every question goes out as bytes, and so do
// the answers.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fsieve/error.h"
#include "methods/shared_work.h"
#include "source/parted_source.h"
#include "stats/asked.h"
#include "stats/picked_rows.h"

namespace fsieve::testing {

class SplitSource final : public PartedSource {
 public:
  // Parts of so many rows, the last may have fewer.
  SplitSource(const Source& whole, std::size_t part_rows)
      : whole_(MemorySource::load(whole)), part_rows_(part_rows) {}

  [[nodiscard]] const Schema& schema() const override { return whole_->schema(); }
  [[nodiscard]] std::size_t rows() const override { return whole_->rows(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override {
    throw Error("the rows are elsewhere");
  }

  [[nodiscard]] std::string ask(const std::string& question, std::string_view /*what*/,
                                Progress& progress) const override {
    ++questions_;
    std::vector<std::string> answers;
    for (std::size_t first = 0; first < rows(); first += part_rows_) {
      answers.push_back(
          answer(Part(*whole_, first, std::min(part_rows_, rows() - first)), question, progress));
    }
    return merged_answers(schema(), question, answers);
  }
  [[nodiscard]] std::unique_ptr<MemorySource> rows_at(std::vector<std::size_t> numbers,
                                                      Progress& progress) const override {
    return picked_rows(*this, std::move(numbers), progress);
  }
  [[nodiscard]] std::vector<std::string> share_out(const std::string& common,
                                                   const std::vector<std::string>& pieces,
                                                   std::string_view /*what*/,
                                                   Progress& progress) const override {
    ++shared_;
    std::vector<std::string> said;
    for (const std::string& piece : pieces) said.push_back(do_piece(common, piece, progress));
    return said;
  }

  [[nodiscard]] int questions() const { return questions_; }
  [[nodiscard]] int shared() const { return shared_; }

 private:
  // Some rows of a table, with their numbers in it.
  class Part final : public TrustedSource {
   public:
    Part(const MemorySource& whole, std::size_t first, std::size_t rows)
        : whole_(whole), first_(first), rows_(rows) {}
    [[nodiscard]] const Schema& schema() const override { return whole_.schema(); }
    [[nodiscard]] std::size_t rows() const override { return rows_; }
    [[nodiscard]] std::unique_ptr<BlockReader> open() const override {
      return std::make_unique<Reader>(whole_, first_, rows_);
    }

   private:
    const MemorySource& whole_;
    std::size_t first_;
    std::size_t rows_;
  };

  class Reader final : public BlockReader {
   public:
    Reader(const MemorySource& whole, std::size_t first, std::size_t rows)
        : whole_(whole), first_(first), rows_(rows) {}
    bool next(Block& block) override {
      if (done_) return false;
      done_ = true;
      block.first_row = first_;
      block.rows = rows_;
      block.stride = whole_.rows();
      block.values = whole_.in_memory().data() + first_;
      return true;
    }

   private:
    const MemorySource& whole_;
    std::size_t first_;
    std::size_t rows_;
    bool done_ = false;
  };

  std::unique_ptr<MemorySource> whole_;
  std::size_t part_rows_;
  mutable int questions_ = 0;
  mutable int shared_ = 0;
};

}  // namespace fsieve::testing

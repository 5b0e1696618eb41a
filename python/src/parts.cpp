#include "parts.h"

#include <fmt/format.h>

#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

#include "app/data_options.h"
#include "app/run.h"
#include "base/binary_lists.h"
#include "fsieve/error.h"
#include "fsieve/threads.h"
#include "methods.h"
#include "methods/shared_work.h"
#include "source/parted_source.h"
#include "source/weights.h"
#include "stats/asked.h"
#include "stats/picked_rows.h"
#include "table/part_scan.h"

namespace fsieve::python {
namespace {

constexpr const char* kScan = "scan";
constexpr const char* kCount = "count";
constexpr const char* kWeights = "weights";

std::size_t memory_of(const Call& call) {
  NoProgress quiet;
  return run_context(values_of(call), quiet).memory;
}

io::PartScan empty_scan(const Call& call) {
  return {std::string(kTableName), read_options(values_of(call)), memory_of(call)};
}

// The weights of the rows of some parts that follow one another.
struct RowWeights {
  std::vector<double> values;

  void merge(const RowWeights& next) {
    values.insert(values.end(), next.values.begin(), next.values.end());
  }
  void save(std::ostream& out) const { save_values(out, values); }
  void load(std::istream& in) { load_list(in, values); }
};

template <typename Statistic>
std::string saved(const Statistic& statistic) {
  std::ostringstream out;
  statistic.save(out);
  return out.str();
}

// What the parts must know of the whole: the scan and, where rows are dropped, what is left.
class Known {
 public:
  Known(const Call& call, const std::string& bytes)
      : Known(empty_scan(call), std::istringstream(bytes)) {}

  [[nodiscard]] io::PartLayout& layout() { return layout_; }

 private:
  Known(io::PartScan scan, std::istringstream in) : layout_(loaded(std::move(scan), in)) {
    if (in.peek() == std::istringstream::traits_type::eof()) return;
    io::PartLayout::Complete complete(layout_.schema());
    complete.load(in);
    layout_.drop(complete);
  }

  static io::PartScan loaded(io::PartScan scan, std::istream& in) {
    scan.load(in);
    return scan;
  }

  io::PartLayout layout_;
};

// The rows of a part, numbered as in the whole table.
class PartRows final : public TrustedSource {
 public:
  PartRows(std::unique_ptr<MemorySource> rows, std::size_t before)
      : rows_(std::move(rows)), before_(before) {}

  [[nodiscard]] const Schema& schema() const override { return rows_->schema(); }
  [[nodiscard]] std::size_t rows() const override { return rows_->rows(); }
  [[nodiscard]] std::span<const double> weights() const override { return rows_->weights(); }
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override {
    return std::make_unique<Reader>(rows_->open(), before_);
  }

 private:
  class Reader final : public BlockReader {
   public:
    Reader(std::unique_ptr<BlockReader> reader, std::size_t before)
        : reader_(std::move(reader)), before_(before) {}

    bool next(Block& block) override {
      if (!reader_->next(block)) return false;
      block.first_row += before_;
      return true;
    }

   private:
    std::unique_ptr<BlockReader> reader_;
    std::size_t before_;
  };

  std::unique_ptr<MemorySource> rows_;
  std::size_t before_;
};

std::size_t rows_before(const std::vector<std::uint64_t>& rows, std::size_t part) {
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(part);
  return std::accumulate(rows.begin(), end, std::size_t{0});
}

// The table as the methods see it where the answers come together.
class AskedSource final : public PartedSource {
 public:
  AskedSource(const io::PartLayout& layout, std::vector<double> weights, std::string known,
              const PartEngine& engine, std::size_t memory)
      : schema_(layout.schema()),
        rows_(rows_before(layout.rows(), layout.rows().size())),
        weights_(std::move(weights)),
        known_(std::move(known)),
        engine_(engine),
        memory_(memory) {}

  [[nodiscard]] bool fits() const { return bytes() <= memory_; }
  [[nodiscard]] std::unique_ptr<MemorySource> all_rows(Progress& progress) const {
    std::vector<std::size_t> numbers(rows_);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return rows_at(std::move(numbers), progress);
  }

  [[nodiscard]] const Schema& schema() const override { return schema_; }
  [[nodiscard]] std::size_t rows() const override { return rows_; }
  [[nodiscard]] std::span<const double> weights() const override { return weights_; }
  // What needs all rows at once has them here, where they fit into the memory allowed.
  [[nodiscard]] std::unique_ptr<BlockReader> open() const override {
    if (!gathered_) {
      NoProgress quiet;
      check_fits();
      gathered_ = all_rows(quiet);
    }
    return gathered_->open();
  }
  [[nodiscard]] std::string ask(const std::string& question, std::string_view what,
                                Progress& progress) const override {
    progress.begin(what, 0);
    std::string answer = engine_.ask({known_, question});
    progress.end();
    return answer;
  }
  [[nodiscard]] std::unique_ptr<MemorySource> rows_at(std::vector<std::size_t> numbers,
                                                      Progress& progress) const override {
    return picked_rows(*this, std::move(numbers), progress);
  }
  [[nodiscard]] std::vector<std::string> share_out(const std::string& common,
                                                   const std::vector<std::string>& pieces,
                                                   std::string_view what,
                                                   Progress& progress) const override {
    progress.begin(what, 0);
    std::vector<std::string> said = engine_.share_out(common, pieces);
    progress.end();
    return said;
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return rows_ * schema_.columns() * sizeof(double); }
  void check_fits() const {
    if (fits()) return;
    constexpr std::size_t mebibyte = 1 << 20U;
    throw Error(fmt::format(
        "this needs all {0} rows at once, {1} MiB, and they are on many machines: allow "
        "it with --memory {1}M, or take a smaller --sample, or --engine gram",
        rows_, bytes() / mebibyte + 1));
  }

  Schema schema_;
  std::size_t rows_;
  std::vector<double> weights_;  // of all rows, or none
  std::string known_;
  const PartEngine& engine_;
  std::size_t memory_;
  mutable std::unique_ptr<MemorySource> gathered_;
};

}  // namespace

std::string answer(const Table& table, std::size_t part, const Call& call,
                   const PartQuestion& question, Progress& progress) {
  const OptionValues values = values_of(call);
  std::string said;
  on_threads_of(values, [&] {
    if (question.asked == kScan) {
      io::PartScan scan = empty_scan(call);
      scan.look(part, table.columns());
      said = saved(scan);
      return;
    }
    Known known(call, question.known);
    if (question.asked == kCount) {
      said = saved(known.layout().count(table.columns()));
      return;
    }
    const PartRows rows(known.layout().open(table.columns(), call.weights),
                        rows_before(known.layout().rows(), part));
    if (question.asked == kWeights) {
      said = saved(RowWeights{{rows.weights().begin(), rows.weights().end()}});
      return;
    }
    said = stats::answer(rows, question.asked, progress);
  });
  return said;
}

std::string merged(const Call& call, const PartQuestion& question,
                   std::span<const std::string> answers) {
  const auto merge = [&](auto zero) {
    auto sum = zero;
    for (const std::string& answer : answers) {
      auto next = zero;
      std::istringstream in(answer);
      next.load(in);
      sum.merge(next);
    }
    return saved(sum);
  };
  if (question.asked == kScan) return merge(empty_scan(call));
  if (question.asked == kWeights) return merge(RowWeights());
  Known known(call, question.known);
  const Schema& schema = known.layout().schema();
  if (question.asked == kCount) return merge(io::PartLayout::Complete(schema));
  return merged_answers(schema, question.asked, answers);
}

std::string piece_answer(const std::string& common, const std::string& piece, Progress& progress) {
  std::string said;
  with_threads(1, [&] { said = do_piece(common, piece, progress); });
  return said;
}

std::string run_on_parts(const Call& call, bool weighted, const PartEngine& engine,
                         std::size_t most_rows, Progress& progress) {
  progress.begin("looking at the columns", 0);
  std::string known = engine.ask({"", kScan});
  Known whole(call, known);
  if (whole.layout().counts_needed()) {
    known += engine.ask({known, kCount});
    whole = Known(call, known);
  }
  RowWeights weights;
  if (weighted) {
    std::istringstream said(engine.ask({known, kWeights}));
    weights.load(said);
    check_weights(weights.values, rows_before(whole.layout().rows(), whole.layout().rows().size()));
  }
  progress.end();
  const AskedSource source(whole.layout(), std::move(weights.values), known, engine,
                           memory_of(call));
  const std::vector<std::string>& warnings = whole.layout().warnings();
  const bool few = source.rows() <= most_rows && source.fits();
  if (!few) return run(source, call, progress, warnings);
  const auto rows = source.all_rows(progress);
  return run(GatheredSource(*rows, source), call, progress, warnings);
}

}  // namespace fsieve::python

// Reading CSV. Arrow finds the fields; what they mean is decided here, since types are decided by
// whole columns and messages name rows. Blocks of rows are parsed in parallel while the next ones
// are read.
#include <arrow/csv/options.h>
#include <arrow/csv/parser.h>
#include <fmt/format.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <future>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/parallel.h"
#include "base/shown_text.h"
#include "fsieve/error.h"
#include "io/arrow/arrow_bytes.h"
#include "io/arrow/csv_blocks.h"
#include "io/arrow/text_stream.h"
#include "io/arrow/throwing_pool.h"
#include "io/csv_dialect.h"
#include "io/file_format.h"
#include "io/formats.h"
#include "table/missing_cells.h"
#include "table/table_limits.h"
#include "table/text_cells.h"
#include "table/whole_number.h"

namespace fsieve::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;
constexpr std::size_t kSampleBytes = std::size_t{256} << 10U;
constexpr std::size_t kMostBlocksAtOnce = 16;
constexpr std::size_t kMostBytesAtOnce = std::size_t{64} << 20U;  // wide rows make large blocks

// A row with too many or too few fields.
struct RaggedRow {
  std::int64_t number = 0;  // in its block, from 1
  int expected = 0;
  int found = 0;
};

arrow::csv::ParseOptions parse_options(const CsvDialect& dialect) {
  auto options = arrow::csv::ParseOptions::Defaults();
  options.delimiter = dialect.delimiter;
  options.newlines_in_values = true;
  // The only cell of a row may be missing, and the line of such a row is blank.
  options.ignore_empty_lines = dialect.names.size() > 1;
  return options;
}

// A block of rows with its fields found.
class ParsedBlock {
 public:
  ParsedBlock(const CsvBlock& block, arrow::csv::ParseOptions options, std::size_t columns,
              const std::string& file_name) {
    // Rows go on after a ragged one: it may lie behind the last row that is asked for.
    options.invalid_row_handler = [this](const arrow::csv::InvalidRow& row) {
      if (!ragged_) ragged_ = RaggedRow{row.number, row.expected_columns, row.actual_columns};
      return arrow::csv::InvalidRowResult::Skip;
    };
    parser_.emplace(throwing_pool(), options, static_cast<std::int32_t>(columns), 1,
                    std::numeric_limits<std::int32_t>::max());
    std::uint32_t parsed = 0;
    require(parser_->ParseFinal(block.text(), &parsed), file_name, "the text is damaged");
    if (parsed != block.size) {
      throw Error(fmt::format("{}: the text cannot be split into rows", file_name));
    }
  }
  ParsedBlock(const ParsedBlock&) = delete;
  ParsedBlock& operator=(const ParsedBlock&) = delete;
  ~ParsedBlock() = default;

  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(parser_->num_rows()); }
  [[nodiscard]] const std::optional<RaggedRow>& ragged() const { return ragged_; }

  // Calls visit(text, quoted) for the rows [first, last) of a column until it returns false. False
  // then.
  template <typename Visit>
  [[nodiscard]] bool visit(std::size_t column, std::size_t first, std::size_t last,
                           Visit visit) const {
    std::size_t row = 0;
    // Newer versions of Arrow pass one more argument.
    const auto status = parser_->VisitColumn(
        static_cast<std::int32_t>(column),
        [&](const std::uint8_t* data, std::uint32_t size, bool quoted, auto...) {
          const std::size_t at = row++;
          if (at < first || at >= last) return arrow::Status::OK();
          const std::string_view text(reinterpret_cast<const char*>(data), size);
          return visit(text, quoted) ? arrow::Status::OK() : arrow::Status::Cancelled("");
        });
    return status.ok();
  }

 private:
  std::optional<RaggedRow> ragged_;
  std::optional<arrow::csv::BlockParser> parser_;
};

bool convert_numbers(const ParsedBlock& block, std::size_t column, std::size_t first,
                     std::size_t last, const CellReader& reader, Cells& cells) {
  cells.is_text = false;
  cells.beyond_exact = false;
  cells.numbers.resize(last - first);
  double* out = cells.numbers.data();
  return block.visit(column, first, last, [&](std::string_view text, bool /*quoted*/) {
    double value = 0;
    switch (reader.classify(text, value)) {
      case CellKind::number:
        *out++ = value;
        if (is_beyond_exact(value) && is_whole_text(text)) cells.beyond_exact = true;
        return true;
      case CellKind::text:
        return false;
      default:
        *out++ = missing_value;
        return true;
    }
  });
}

// `cells` as positions in a table of texts; false at a cell that no text may have.
bool convert_text(const ParsedBlock& block, std::size_t column, std::size_t first, std::size_t last,
                  Cells& cells) {
  cells.is_text = true;
  cells.beyond_exact = false;  // who sees the texts can tell
  cells.codes.clear();
  cells.codes.reserve(last - first);
  cells.texts.clear();
  std::unordered_map<std::string_view, std::int32_t> codes;
  return block.visit(column, first, last, [&](std::string_view text, bool /*quoted*/) {
    const auto [entry, fresh] = codes.try_emplace(text, static_cast<std::int32_t>(codes.size()));
    cells.codes.push_back(entry->second);
    if (!fresh) return true;
    cells.texts.emplace_back(text);
    return text.size() <= kLongestCell && text.find('\0') == std::string_view::npos;
  });
}

struct CsvLayout {
  std::shared_ptr<const ByteFile> file;
  CsvDialect dialect;
  const CellReader* cells;
};

std::size_t block_bytes(const CsvLayout& layout) {
  constexpr std::size_t rows = 16;
  return std::clamp(rows * layout.dialect.line_bytes, kBlockBytes, kMostBytesAtOnce);
}

std::size_t blocks_at_once(const CsvLayout& layout) {
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t most = std::min(threads, kMostBytesAtOnce / block_bytes(layout));
  return std::clamp<std::size_t>(most, 1, kMostBlocksAtOnce);
}

class CsvReader final : public ChunkReader {
 public:
  CsvReader(const CsvLayout& layout, ReadRequest request)
      : layout_(layout),
        request_(std::move(request)),
        parse_(parse_options(layout.dialect)),
        cutter_(layout.file, layout.dialect.data_offset, block_bytes(layout), parse_),
        at_once_(blocks_at_once(layout)) {
    // The first block alone: what it holds says which columns to deliver as text.
    ahead_ = std::async(std::launch::async, [this] { return read_blocks(1); });
  }

  bool next(Chunk& chunk) override {
    while (next_chunk_ == chunks_.size()) {
      if (!parse_batch()) return false;
    }
    std::swap(chunk, chunks_[next_chunk_]);
    bytes_done_ = positions_[next_chunk_];
    ++next_chunk_;
    return true;
  }

  [[nodiscard]] std::uint64_t rows_met() const override { return rows_met_; }
  [[nodiscard]] std::uint64_t bytes_done() const override { return bytes_done_; }
  void expect_text(std::size_t j) override { request_.as_text[j] = true; }

 private:
  std::vector<CsvBlock> read_blocks(std::size_t count) {
    std::vector<CsvBlock> blocks;
    CsvBlock block;
    while (blocks.size() < count && cutter_.next(block)) blocks.push_back(std::move(block));
    return blocks;
  }

  // Replaces the chunks by those of the next blocks; they may all be without a wanted row.
  bool parse_batch() {
    if (!ahead_.valid()) return false;
    const std::vector<CsvBlock> blocks = ahead_.get();
    if (blocks.empty()) return false;
    ahead_ = std::async(std::launch::async, [this] { return read_blocks(at_once_); });

    std::vector<std::unique_ptr<ParsedBlock>> parsed(blocks.size());
    in_parallel(blocks.size(), [&](std::size_t b) {
      parsed[b] = std::make_unique<ParsedBlock>(blocks[b], parse_, layout_.dialect.names.size(),
                                                layout_.file->name());
    });

    // Chunks are taken from the previous batch, so that their memory is used again.
    std::vector<Chunk> spare = std::move(chunks_);
    chunks_.clear();
    positions_.clear();
    next_chunk_ = 0;
    struct Piece {
      const ParsedBlock* block;
      std::size_t first;
      std::size_t last;
    };
    std::vector<Piece> pieces;
    for (std::size_t b = 0; b < blocks.size() && rows_met_ < request_.last_row; ++b) {
      check_ragged(*parsed[b]);
      const std::uint64_t begin = rows_met_;  // rows before this block
      rows_met_ += parsed[b]->rows();
      const std::uint64_t first = std::max(begin, request_.first_row - 1);
      const std::uint64_t last = std::min(rows_met_, request_.last_row);
      if (first >= last) continue;
      pieces.push_back({parsed[b].get(), first - begin, last - begin});
      positions_.push_back(blocks[b].file_position);
      if (spare.empty()) {
        chunks_.emplace_back();
      } else {
        chunks_.push_back(std::move(spare.back()));
        spare.pop_back();
      }
      chunks_.back().first_row = first + 1;
      chunks_.back().rows = last - first;
    }
    in_parallel(pieces.size(), [&](std::size_t p) {
      convert(*pieces[p].block, pieces[p].first, pieces[p].last, chunks_[p]);
    });
    if (rows_met_ >= request_.last_row) ahead_ = {};  // waits for the read under way
    return true;
  }

  void check_ragged(const ParsedBlock& block) const {
    if (!block.ragged()) return;
    const std::uint64_t row = rows_met_ + static_cast<std::uint64_t>(block.ragged()->number);
    if (row > request_.last_row) return;
    throw Error(fmt::format("{}: row {}: expected {} field{}, found {}{}", layout_.file->name(),
                            row, block.ragged()->expected, block.ragged()->expected == 1 ? "" : "s",
                            block.ragged()->found, hint_of(*block.ragged(), row)));
  }

  // What is often behind it.
  [[nodiscard]] std::string_view hint_of(const RaggedRow& ragged, std::uint64_t row) const {
    if (layout_.dialect.names.front().starts_with('#')) {
      return " (the first line, which begins with #, was taken as the column names: leave lines of "
             "comment out)";
    }
    if (row == 1 && ragged.found == ragged.expected + 1) {
      return " (the first line has one name too few: if rows begin with their own names, as R "
             "writes them, put a name for these in front)";
    }
    return "";
  }

  void convert(const ParsedBlock& block, std::size_t first, std::size_t last, Chunk& chunk) const {
    chunk.columns.resize(request_.columns.size());
    for (std::size_t j = 0; j < request_.columns.size(); ++j) {
      const std::size_t column = request_.columns[j];
      Cells& cells = chunk.columns[j];
      const bool done = (!request_.as_text[j] &&
                         convert_numbers(block, column, first, last, *layout_.cells, cells)) ||
                        convert_text(block, column, first, last, cells);
      if (!done) fail_cell(column, chunk.first_row + cells.codes.size() - 1, cells.texts.back());
    }
    chunk.originals.clear();
    for (const OriginalRequest& wanted : request_.originals) {
      auto cells = std::make_shared<TextCells>(*layout_.cells, wanted.type);
      (void)block.visit(wanted.column, first, last, [&](std::string_view text, bool quoted) {
        cells->add(text, quoted);
        return true;
      });
      chunk.originals.push_back(std::move(cells));
    }
  }

  [[noreturn]] void fail_cell(std::size_t column, std::uint64_t row,
                              const std::string& text) const {
    const std::string where =
        fmt::format("column \"{}\", row {}", shown(layout_.dialect.names[column]), row);
    if (text.size() > kLongestCell) fail_long_cell(layout_.file->name(), where);
    throw Error(fmt::format("{}: {}: the cell holds a NUL character, which no text has",
                            layout_.file->name(), where));
  }

  // Isolated: while this thread waits it must not take up unrelated work that may wait for it.
  template <typename Work>
  static void in_parallel(std::size_t count, const Work& work) {
    tbb::this_task_arena::isolate([&] { fsieve::in_parallel(count, work); });
  }

  const CsvLayout& layout_;
  ReadRequest request_;
  arrow::csv::ParseOptions parse_;
  CsvBlockCutter cutter_;
  std::size_t at_once_;
  std::vector<Chunk> chunks_;
  std::vector<std::uint64_t> positions_;
  std::size_t next_chunk_ = 0;
  std::uint64_t rows_met_ = 0;
  std::uint64_t bytes_done_ = 0;
  std::future<std::vector<CsvBlock>> ahead_;  // last: it uses the cutter until it is gone
};

class CsvFile final : public TableFile {
 public:
  explicit CsvFile(CsvLayout layout) : layout_(std::move(layout)) {
    for (const std::string& name : layout_.dialect.names) columns_.push_back({name, ""});
  }

  [[nodiscard]] const std::vector<FileColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::unique_ptr<ChunkReader> read(const ReadRequest& request) const override {
    return std::make_unique<CsvReader>(layout_, request);
  }
  [[nodiscard]] bool is_text() const override { return true; }

 private:
  CsvLayout layout_;
  std::vector<FileColumn> columns_;
};

bool is_tsv(const ByteFile& file) {
  const std::string extension = data_extension(file.name());
  return extension == "tsv" || extension == "tab";
}

// The beginning of the text: the names and a row at least, however wide they are.
std::string read_sample(const std::shared_ptr<const ByteFile>& file,
                        std::optional<char> delimiter) {
  TextStream stream(file);
  std::string sample;
  std::size_t wanted = kSampleBytes;
  for (;;) {
    const std::size_t before = sample.size();
    sample.resize(before + wanted);
    const std::size_t got = stream.read(sample.data() + before, wanted);
    sample.resize(before + got);
    if (got < wanted || sample.size() >= kLongestRow) return sample;
    if (is_enough_sample(sample, delimiter)) return sample;
    wanted = sample.size();
  }
}

}  // namespace

char csv_decimal(const std::shared_ptr<const ByteFile>& file, const ReadOptions& options,
                 std::vector<std::string>& warnings) {
  return detect_decimal(read_sample(file, options.delimiter), is_tsv(*file), file->name(), options,
                        warnings);
}

std::unique_ptr<TableFile> open_csv(std::shared_ptr<const ByteFile> file,
                                    const ReadOptions& options, const CellReader& cells,
                                    std::vector<std::string>& warnings) {
  const std::string sample = read_sample(file, options.delimiter);
  CsvDialect dialect =
      detect_dialect(sample, is_tsv(*file), file->name(), options, cells, warnings);
  CsvLayout layout{std::move(file), std::move(dialect), &cells};
  return std::make_unique<CsvFile>(std::move(layout));
}

}  // namespace fsieve::io

// The beginning of a text of cells: where fields end, and whether there is a row of names.
#include "io/csv_dialect.h"

#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fsieve;
  const std::string_view text = fuzz::text_of(data, size);
  for (const char delimiter : {',', ';', '\t', '|', ' '}) {
    std::size_t end = 0;
    for (const io::CsvRecord& record : io::split_records(text, delimiter, 100)) {
      fuzz::expect(!record.fields.empty(), "a record has fields");
      fuzz::expect(record.end > end && record.end <= size, "records follow each other");
      end = record.end;
    }
  }
  const io::CellReader cells({"NA"});
  for (const bool is_tsv : {false, true}) {
    fuzz::accepted([&] {
      std::vector<std::string> warnings;
      const auto dialect = io::detect_dialect(text, is_tsv, "input.csv", {}, cells, warnings);
      fuzz::expect(!dialect.names.empty(), "there are columns");
      fuzz::expect(dialect.data_offset <= size, "the data begin within the text");
    });
  }
  return 0;
}

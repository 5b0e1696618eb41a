// The file formats that hold tables.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fsieve/io.h"
#include "io/byte_file.h"
#include "table/table_file.h"

namespace fsieve::io {

// `cells` is kept by reference in the table of a text format.
std::unique_ptr<TableFile> open_npy(std::shared_ptr<const ByteFile> file);
std::unique_ptr<TableFile> open_csv(std::shared_ptr<const ByteFile> file,
                                    const ReadOptions& options, const CellReader& cells,
                                    std::vector<std::string>& warnings);
// What stands before the decimals of its numbers.
[[nodiscard]] char csv_decimal(const std::shared_ptr<const ByteFile>& file,
                               const ReadOptions& options, std::vector<std::string>& warnings);
std::unique_ptr<TableFile> open_parquet(std::shared_ptr<const ByteFile> file);
std::unique_ptr<TableFile> open_ipc(std::shared_ptr<const ByteFile> file);

}  // namespace fsieve::io

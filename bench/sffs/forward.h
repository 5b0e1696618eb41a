// The forward search as a share of the machine's matrix-product rate.
#pragma once

#include <string>

namespace fsieve::bench {

// Runs the search at depth 2 to fifty features, on a file (its label: "label") or on a made table,
// and checks what it says of single candidates. `gemm_rate`: multiply-adds per second of one core.
void forward_on_file(const std::string& path, double gemm_rate);
void forward_on_table(std::size_t rows, std::size_t columns, std::size_t classes, double gemm_rate);

}  // namespace fsieve::bench

// A device of plain C++ that multiplies matrices (see settings.h). It adds up from the end, so that
// its last digits are not those of the CPU.
#include <algorithm>
#include <vector>

#include "device/algebra_abi.h"
#include "settings.h"

namespace {

using standin::fails;
using standin::note;

struct Algebra {
  int device;
  uint64_t taken = 0;
};

using Array = std::vector<double>;
using Number = unsigned long long;

// An entry of a matrix. Throws where it is outside the array.
double& at(const fsieve_place* place, uint64_t row, uint64_t column) {
  return static_cast<Array*>(place->array)->at(place->offset + row + column * place->stride);
}

double entry(int op, const fsieve_place* place, uint64_t row, uint64_t column) {
  return op != 0 ? at(place, column, row) : at(place, row, column);
}

double product(int a_op, int b_op, uint64_t i, uint64_t j, uint64_t k, const fsieve_place* a,
               const fsieve_place* b) {
  double sum = 0;
  for (uint64_t l = k; l-- > 0;) sum += entry(a_op, a, i, l) * entry(b_op, b, l, j);
  return sum;
}

template <class Body>
void for_each_above(const fsieve_above* entries, const Body& body) {
  for (uint64_t j = 0; j < entries->n; ++j) {
    for (uint64_t i = 0; i < entries->m; ++i) {
      if (static_cast<int64_t>(i) < static_cast<int64_t>(j) + entries->first) body(i, j);
    }
  }
}

void add(double value, double beta, double& to) { to = beta == 0 ? value : value + beta * to; }

}  // namespace

void* fsieve_algebra_open(int device, char* message, size_t size) {
  if (fails("algebra", message, size)) return nullptr;
  note("algebra %d\n", device);
  return new Algebra{device};
}

void fsieve_algebra_close(void* algebra) { delete static_cast<Algebra*>(algebra); }

uint64_t fsieve_algebra_room(void* algebra) {
  const auto all = static_cast<uint64_t>(standin::setting("FSIEVE_STANDIN_NUMBERS", 1000000000));
  return all - std::min(all, static_cast<Algebra*>(algebra)->taken);
}

void* fsieve_algebra_take(void* algebra, uint64_t count, char* message, size_t size) {
  if (fails("take", message, size)) return nullptr;
  static_cast<Algebra*>(algebra)->taken += count;
  return new Array(count, 1e300);  // whoever uses what was never written will notice
}

void fsieve_algebra_give(void* algebra, void* array) {
  auto* numbers = static_cast<Array*>(array);
  static_cast<Algebra*>(algebra)->taken -= numbers->size();
  delete numbers;
}

int fsieve_algebra_put(void* algebra, const double* from, uint64_t from_stride, uint64_t rows,
                       uint64_t columns, const fsieve_place* to, char*, size_t) {
  note("put %d %llu %llu\n", static_cast<Algebra*>(algebra)->device, static_cast<Number>(rows),
       static_cast<Number>(columns));
  for (uint64_t j = 0; j < columns; ++j) {
    for (uint64_t i = 0; i < rows; ++i) at(to, i, j) = from[i + j * from_stride];
  }
  return 0;
}

int fsieve_algebra_get(void*, const fsieve_place* from, uint64_t rows, uint64_t columns, double* to,
                       uint64_t to_stride, char*, size_t) {
  for (uint64_t j = 0; j < columns; ++j) {
    for (uint64_t i = 0; i < rows; ++i) to[i + j * to_stride] = at(from, i, j);
  }
  return 0;
}

int fsieve_algebra_copy(void*, const fsieve_place* from, uint64_t rows, uint64_t columns,
                        const fsieve_place* to, char*, size_t) {
  for (uint64_t j = 0; j < columns; ++j) {
    for (uint64_t i = 0; i < rows; ++i) at(to, i, j) = at(from, i, j);
  }
  return 0;
}

int fsieve_algebra_evaluate(void*, const uint32_t* factors, uint64_t count, uint64_t most,
                            const fsieve_place* columns, uint64_t rows, const fsieve_place* values,
                            char*, size_t) {
  for (uint64_t f = 0; f < count; ++f) {
    for (uint64_t i = 0; i < rows; ++i) {
      double value = 1;
      for (uint64_t k = 0; k < most; ++k) {
        const uint32_t column = factors[f * most + k];
        if (column != UINT32_MAX) value *= at(columns, i, column);
      }
      at(values, i, f) = value;
    }
  }
  return 0;
}

int fsieve_algebra_gemm(void* algebra, int a_op, int b_op, uint64_t m, uint64_t n, uint64_t k,
                        double alpha, const fsieve_place* a, const fsieve_place* b, double beta,
                        const fsieve_place* c, char* message, size_t size) {
  if (fails("gemm", message, size)) return -1;
  note("gemm %d %llu %llu %llu\n", static_cast<Algebra*>(algebra)->device, static_cast<Number>(m),
       static_cast<Number>(n), static_cast<Number>(k));
  for (uint64_t j = 0; j < n; ++j) {
    for (uint64_t i = 0; i < m; ++i) {
      add(alpha * product(a_op, b_op, i, j, k, a, b), beta, at(c, i, j));
    }
  }
  return 0;
}

int fsieve_algebra_syrk(void*, int op, uint64_t n, uint64_t k, double alpha, const fsieve_place* a,
                        double beta, const fsieve_place* c, char*, size_t) {
  const int other = op != 0 ? 0 : 1;
  for (uint64_t j = 0; j < n; ++j) {
    for (uint64_t i = 0; i < j; ++i) at(c, i, j) = -1e300;  // nobody may count on it
    for (uint64_t i = j; i < n; ++i) {
      add(alpha * product(op, other, i, j, k, a, a), beta, at(c, i, j));
    }
  }
  return 0;
}

int fsieve_algebra_solve(void*, int right, uint64_t m, uint64_t n, const fsieve_place* l,
                         const fsieve_place* b, char*, size_t) {
  // B = B L^-T is L^-1 times the transpose of B.
  const auto entry_of_b = [&](uint64_t i, uint64_t j) -> double& {
    return right != 0 ? at(b, j, i) : at(b, i, j);
  };
  const uint64_t size_of_l = right != 0 ? n : m;
  const uint64_t others = right != 0 ? m : n;
  for (uint64_t j = 0; j < others; ++j) {
    for (uint64_t i = 0; i < size_of_l; ++i) {
      double sum = entry_of_b(i, j);
      for (uint64_t k = i; k-- > 0;) sum -= at(l, i, k) * entry_of_b(k, j);
      entry_of_b(i, j) = sum / at(l, i, i);
    }
  }
  return 0;
}

int fsieve_algebra_shares(void*, const fsieve_above* entries, uint64_t labels,
                          const fsieve_place* inner, const fsieve_place* norms,
                          const fsieve_place* to, char*, size_t) {
  for_each_above(entries, [&](uint64_t i, uint64_t j) {
    double sum = 0;
    for (uint64_t y = labels; y-- > 0;) {
      sum += at(inner, i, j + y * entries->n) * at(inner, i, j + y * entries->n);
    }
    at(to, i, j) = sum / std::max(at(norms, i, j), 1e-300);
  });
  return 0;
}

int64_t fsieve_algebra_find(void* algebra, const fsieve_above* entries, const fsieve_place* a,
                            const fsieve_place* b, const fsieve_place* row_terms,
                            const fsieve_place* column_terms, double least, uint64_t room,
                            fsieve_entry* found, char*, size_t) {
  note("find %d %llu %llu\n", static_cast<Algebra*>(algebra)->device,
       static_cast<Number>(entries->m), static_cast<Number>(entries->n));
  int64_t count = 0;
  for_each_above(entries, [&](uint64_t i, uint64_t j) {
    const double value = at(column_terms, j, 0) + at(row_terms, i, 0) +
                         (b != nullptr ? at(b, i, j) : 0) + at(a, i, j);
    if (!(value >= least)) return;
    if (static_cast<uint64_t>(count) < room) {
      found[count] = {static_cast<uint32_t>(i), static_cast<uint32_t>(j), value};
    }
    ++count;
  });
  return count;
}

int fsieve_algebra_keep_pace(void*, char*, size_t) { return 0; }

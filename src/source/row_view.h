// Tables that show the rows of another one otherwise: sorted, cut into bins, weighted by class.
// Where those rows lie elsewhere, their parts show them the same way.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "fsieve/source.h"

namespace fsieve::inline source {

// What such a table is beside a Source.
class RowView {
 public:
  virtual ~RowView() = default;

  [[nodiscard]] virtual const Source& viewed() const = 0;
  // The name that its kind was added by, and what one of other rows is made of.
  [[nodiscard]] virtual const char* view_name() const = 0;
  virtual void save_view(std::ostream& out) const = 0;

 protected:
  RowView() = default;
  RowView(const RowView&) = default;
  RowView& operator=(const RowView&) = default;
};

using ViewMaker = std::function<std::unique_ptr<Source>(const Source& rows, std::istream& saved)>;

// A kind of view, known from the start of the program on: one of these stands beside every kind.
struct KnownView {
  KnownView(const std::string& name, ViewMaker make);
};

[[nodiscard]] std::string saved_view(const RowView& view);

// Rows as saved views show them, each around the one before it. `rows` must outlive it.
class SeenRows {
 public:
  SeenRows(const Source& rows, const std::vector<std::string>& views);

  [[nodiscard]] const Source& operator*() const { return *shown_; }
  [[nodiscard]] const Source* operator->() const { return shown_; }

 private:
  const Source* shown_;
  std::vector<std::unique_ptr<Source>> views_;
};

}  // namespace fsieve::source

#include "source/row_view.h"

#include <map>
#include <sstream>
#include <utility>

#include "base/binary_lists.h"
#include "fsieve/error.h"

namespace fsieve::inline source {
namespace {

std::map<std::string, ViewMaker>& known_views() {
  static std::map<std::string, ViewMaker> kinds;
  return kinds;
}

}  // namespace

KnownView::KnownView(const std::string& name, ViewMaker make) {
  known_views()[name] = std::move(make);
}

std::string saved_view(const RowView& view) {
  std::ostringstream out;
  save_text(out, view.view_name());
  view.save_view(out);
  return out.str();
}

SeenRows::SeenRows(const Source& rows, const std::vector<std::string>& views) : shown_(&rows) {
  for (const std::string& view : views) {
    std::istringstream in(view);
    const auto kind = known_views().find(load_text(in));
    if (kind == known_views().end()) {
      throw Error("the parts of the table run another version of fsieve");
    }
    views_.push_back(kind->second(*shown_, in));
    shown_ = views_.back().get();
  }
}

}  // namespace fsieve::source

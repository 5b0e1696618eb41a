// fsieve._core: what the Python package needs of the library. Users see the estimators instead.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fsieve/error.h"
#include "fsieve/result.h"
#include "fsieve/version.h"
#include "methods.h"
#include "options/option_docs.h"
#include "table.h"
#include "watched_work.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace fsieve::python {
namespace {

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string run_watched(const Table& table, const std::string& command,
                        const std::map<std::string, std::string>& options, const Weights& weights,
                        const nb::object& show) {
  const Request request{command, options, {weights.data(), weights.data() + weights.size()}};
  std::string json;
  watch(show, [&](Progress& progress) { json = run(table, request, progress); });
  return json;
}

// What `fsieve show` prints.
std::string report(const std::string& json, std::size_t width) {
  return to_report(result_from_json(json, "result"), {width, false});
}

void translate_error(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    PyErr_SetString(
        error.kind() == Error::Kind::interrupted ? PyExc_KeyboardInterrupt : PyExc_ValueError,
        error.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  nb::register_exception_translator(translate_error);
  module.doc() = "The fsieve library.";
  module.def("version", &version);
  module.def("build_info", &build_info);
  module.def("options_json", &options_json);
  module.def("report", &report, "json"_a, "width"_a);
  nb::class_<Table>(module, "Table", "Columns that lie in memory of Python objects.")
      .def(nb::init<>())
      .def("add_numbers", &Table::add_numbers, "names"_a, "values"_a)
      .def("add_texts", &Table::add_texts, "name"_a, "codes"_a, "texts"_a)
      .def("add_stream", &Table::add_stream, "capsule"_a, "table_name"_a)
      .def("rename", &Table::rename, "column"_a, "name"_a)
      .def_prop_ro("names", &Table::names)
      .def_prop_ro("rows", &Table::rows);
  module.def("run", &run_watched, "table"_a, "command"_a, "options"_a, "weights"_a,
             "show"_a.none());
}

}  // namespace fsieve::python

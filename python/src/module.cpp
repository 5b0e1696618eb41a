// fsieve._core: what the Python package needs of the library. Users see the estimators instead.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "app/option_docs.h"
#include "fsieve/error.h"
#include "fsieve/model.h"
#include "fsieve/result.h"
#include "fsieve/version.h"
#include "methods.h"
#include "parts.h"
#include "report.h"
#include "sums.h"
#include "table.h"
#include "watched_work.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace fsieve::python {
namespace {

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Call call_of(const std::string& command, const std::map<std::string, std::string>& options,
             const Weights& weights) {
  return {command, options, {weights.data(), weights.data() + weights.size()}};
}

std::string run_watched(const Table& table, const std::string& command,
                        const std::map<std::string, std::string>& options, const Weights& weights,
                        const nb::object& show) {
  const Call call = call_of(command, options, weights);
  std::string json;
  watch(show, [&](Progress& progress) { json = run(table, call, progress); });
  return json;
}

std::string report_page_watched(const Table& table,
                                const std::map<std::string, std::string>& options,
                                const nb::object& show) {
  const Call call{"report", options, {}};
  std::string page;
  watch(show, [&](Progress& progress) { page = report_page(table, call, progress); });
  return page;
}

void add_watched(Sums& sums, const Table& chunk, const std::map<std::string, std::string>& options,
                 const Weights& weights, const nb::object& show) {
  const Call call = call_of("reduce", options, weights);
  watch(show, [&](Progress& progress) { sums.add(chunk, call, progress); });
}

std::string reduce_watched(const Sums& sums, const std::map<std::string, std::string>& options,
                           const nb::object& show) {
  const Call call{"reduce", options, {}};
  std::string json;
  watch(show, [&](Progress& progress) { json = sums.reduce(call, progress); });
  return json;
}

nb::bytes as_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

std::string text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// All that parts and their answers have to do with: a command, its options, and a question.
Call part_call(const std::string& command, const std::map<std::string, std::string>& options) {
  return {command, options, {}};
}

nb::bytes answer_watched(const Table& table, std::size_t part, const std::string& command,
                         const std::map<std::string, std::string>& options, const Weights& weights,
                         const nb::bytes& known, const nb::bytes& asked) {
  const Call call = call_of(command, options, weights);
  const PartQuestion question{text_of(known), text_of(asked)};
  std::string said;
  watch(nb::none(),
        [&](Progress& progress) { said = answer(table, part, call, question, progress); });
  return as_bytes(said);
}

nb::bytes merged_watched(const std::string& command,
                         const std::map<std::string, std::string>& options, const nb::bytes& known,
                         const nb::bytes& asked, const std::vector<nb::bytes>& answers) {
  const Call call = part_call(command, options);
  const PartQuestion question{text_of(known), text_of(asked)};
  std::vector<std::string> texts;
  texts.reserve(answers.size());
  for (const nb::bytes& answer : answers) texts.push_back(text_of(answer));
  std::string said;
  watch(nb::none(), [&](Progress& /*progress*/) { said = merged(call, question, texts); });
  return as_bytes(said);
}

nb::bytes piece_answer_watched(const nb::bytes& common, const nb::bytes& piece) {
  const std::string work = text_of(common);
  const std::string part = text_of(piece);
  std::string said;
  watch(nb::none(), [&](Progress& progress) { said = piece_answer(work, part, progress); });
  return as_bytes(said);
}

std::string run_on_parts_watched(const std::string& command,
                                 const std::map<std::string, std::string>& options, bool weighted,
                                 const nb::callable& ask, const nb::callable& share_out,
                                 std::size_t most_rows, const nb::object& show) {
  const Call call = part_call(command, options);
  PartEngine engine;
  engine.ask = [&](const PartQuestion& question) {
    const nb::gil_scoped_acquire locked;
    const nb::object said = ask(as_bytes(question.known), as_bytes(question.asked));
    return text_of(nb::cast<nb::bytes>(said));
  };
  engine.share_out = [&](const std::string& common, const std::vector<std::string>& pieces) {
    const nb::gil_scoped_acquire locked;
    nb::list list;
    for (const std::string& piece : pieces) list.append(as_bytes(piece));
    std::vector<std::string> said;
    for (const nb::handle one : share_out(as_bytes(common), list)) {
      said.push_back(text_of(nb::cast<nb::bytes>(one)));
    }
    return said;
  };
  std::string json;
  watch(show, [&](Progress& progress) {
    json = run_on_parts(call, weighted, engine, most_rows, progress);
  });
  return json;
}

// An array that owns its numbers.
template <typename Number>
nb::object as_array(std::vector<Number> values) {
  auto* held = new std::vector<Number>(std::move(values));
  nb::capsule owner(
      held, [](void* memory) noexcept { delete static_cast<std::vector<Number>*>(memory); });
  return nb::ndarray<nb::numpy, Number, nb::ndim<1>>(held->data(), {held->size()}, owner).cast();
}

nb::tuple predict_watched(const std::string& model, const Table& table,
                          const std::map<std::string, std::string>& options,
                          const nb::object& show) {
  const Call call{"predict", options, {}};
  Predictions found;
  watch(show, [&](Progress& progress) { found = predict(model, table, call, progress); });
  return nb::make_tuple(as_array(std::move(found.second_class)), as_array(std::move(found.scores)));
}

// For pickle: the names, the depth, and the numbers.
nb::tuple state_of(const Sums& sums) {
  const std::string bytes = sums.bytes();
  return nb::make_tuple(sums.names(), sums.depth(), nb::bytes(bytes.data(), bytes.size()));
}

void restore(Sums& sums, const nb::tuple& state) {
  const auto bytes = nb::cast<nb::bytes>(state[2]);
  new (&sums) Sums(nb::cast<std::vector<std::string>>(state[0]), nb::cast<int>(state[1]),
                   std::string(bytes.c_str(), bytes.size()));
}

// What `fsieve show` prints.
std::string report(const std::string& json, std::size_t width) {
  const TextStyle style{width, false};
  if (is_model(json)) return to_report(model_from_json(json, "model"), style);
  return to_report(result_from_json(json, "result"), style);
}

const char* name_of(Error::Code code) {
  switch (code) {
    case Error::Code::no_such_column:
      return "no_such_column";
    case Error::Code::too_few_features:
      return "too_few_features";
    case Error::Code::other:
      break;
  }
  return "other";
}

// A ValueError whose `code` says which mistake it is, by the name of Error::Code.
void translate_error(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::interrupted) {
      return PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
    }
    const nb::object value = nb::handle(PyExc_ValueError)(error.what());
    value.attr("code") = name_of(error.code());
    PyErr_SetObject(PyExc_ValueError, value.ptr());
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
      .def("add_sparse", &Table::add_sparse, "names"_a, "values"_a, "stored_rows"_a, "starts"_a,
           "rows"_a)
      .def("add_texts", &Table::add_texts, "name"_a, "codes"_a, "texts"_a)
      .def("add_stream", &Table::add_stream, "capsule"_a, "table_name"_a)
      .def("mark_date", &Table::mark_date)
      .def("mark_unusable", &Table::mark_unusable)
      .def("rename", &Table::rename, "column"_a, "name"_a)
      .def_prop_ro("names", &Table::names)
      .def_prop_ro("rows", &Table::rows);
  nb::class_<Sums>(module, "Sums", "Statistics of UFFS that chunks are added to.")
      .def(nb::init<>())
      .def("add", &add_watched, "chunk"_a, "options"_a, "weights"_a, "show"_a.none())
      .def("merge", &Sums::merge, "other"_a)
      .def("reduce", &reduce_watched, "options"_a, "show"_a.none())
      .def_prop_ro("names", &Sums::names)
      .def_prop_ro("rows", &Sums::rows)
      .def("__getstate__", &state_of)
      .def("__setstate__", &restore);
  module.def("part_answer", &answer_watched, "table"_a, "part"_a, "command"_a, "options"_a,
             "weights"_a, "known"_a, "asked"_a);
  module.def("merged_answers", &merged_watched, "command"_a, "options"_a, "known"_a, "asked"_a,
             "answers"_a);
  module.def("piece_answer", &piece_answer_watched, "common"_a, "piece"_a);
  module.def("run_on_parts", &run_on_parts_watched, "command"_a, "options"_a, "weighted"_a, "ask"_a,
             "share_out"_a, "most_rows"_a, "show"_a.none());
  module.def("predict", &predict_watched, "model"_a, "table"_a, "options"_a, "show"_a.none());
  module.def("report_page", &report_page_watched, "table"_a, "options"_a, "show"_a.none());
  module.def("run", &run_watched, "table"_a, "command"_a, "options"_a, "weights"_a,
             "show"_a.none());
}

}  // namespace fsieve::python

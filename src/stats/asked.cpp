#include "stats/asked.h"

#include <map>
#include <sstream>

#include "base/binary_lists.h"
#include "fsieve/error.h"
#include "source/known_table.h"
#include "source/row_view.h"

namespace fsieve::inline stats {
namespace {

std::map<std::string, Answering>& known() {
  static std::map<std::string, Answering> questions;
  return questions;
}

// How a question begins; what follows is for who answers it.
struct Beginning {
  const Answering& answering;
  std::vector<std::string> views;
};

Beginning beginning_of(std::istream& question) {
  load_format(question);
  const auto found = known().find(load_text(question));
  if (found == known().end()) {
    throw Error("the parts of the table run another version of fsieve");
  }
  return {found->second, load_texts(question)};
}

}  // namespace

void add_answering(const std::string& name, Answering answering) {
  known()[name] = std::move(answering);
}

void begin_question(std::ostream& out, const std::string& name,
                    const std::vector<std::string>& views) {
  save_format(out);
  save_text(out, name);
  save_texts(out, views);
}

std::string answer(const Source& part, const std::string& question, Progress& progress) {
  std::istringstream in(question);
  const Beginning begun = beginning_of(in);
  return begun.answering.answer(*SeenRows(part, begun.views), in, progress);
}

std::string merged_answers(const Schema& schema, const std::string& question,
                           std::span<const std::string> answers) {
  std::istringstream in(question);
  const Beginning begun = beginning_of(in);
  if (begun.views.empty()) return begun.answering.merged(schema, in, answers);
  const auto no_rows = known_table(schema, {}, 0);
  return begun.answering.merged(SeenRows(*no_rows, begun.views)->schema(), in, answers);
}

}  // namespace fsieve::stats

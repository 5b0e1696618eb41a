#include "report/result_names.h"

#include <initializer_list>

namespace fsieve::inline report {
namespace {

template <typename Enum>
bool find(std::string_view name, std::initializer_list<Enum> all, Enum& found) {
  for (const Enum value : all) {
    if (name_of(value) != name) continue;
    found = value;
    return true;
  }
  return false;
}

}  // namespace

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::redundant:
      return "redundant";
    case Reason::constant:
      return "constant";
    case Reason::saturated:
      return "saturated";
    case Reason::unselected:
      break;
  }
  return "unselected";
}

std::string_view name_of(IgnoredColumn::Reason reason) {
  switch (reason) {
    case IgnoredColumn::Reason::identifier:
      return "identifier";
    case IgnoredColumn::Reason::missing:
      return "missing";
    case IgnoredColumn::Reason::rounded:
      break;
  }
  return "rounded";
}

std::string_view name_of(Engine engine) {
  switch (engine) {
    case Engine::automatic:
      return "auto";
    case Engine::gram:
      return "gram";
    case Engine::sample:
      break;
  }
  return "sample";
}

std::string_view name_of(Order order) {
  switch (order) {
    case Order::automatic:
      return "auto";
    case Order::input:
      return "input";
    case Order::variance:
      return "variance";
    case Order::random:
      break;
  }
  return "random";
}

std::string_view name_of(Groups groups) { return groups == Groups::any ? "any" : "own"; }

std::string_view name_of(Measure measure) {
  switch (measure) {
    case Measure::m_n:
      return "M_n";
    case Measure::bayes_accuracy:
      return "bayes_accuracy";
    case Measure::q2:
      return "q2";
    case Measure::l2:
      break;
  }
  return "l2";
}

std::string_view name_of(Score score) { return score == Score::l1 ? "l1" : "l2"; }

bool value_of(std::string_view name, Reason& reason) {
  return find(name, {Reason::redundant, Reason::constant, Reason::saturated, Reason::unselected},
              reason);
}

bool value_of(std::string_view name, IgnoredColumn::Reason& reason) {
  using Reason = IgnoredColumn::Reason;
  return find(name, {Reason::identifier, Reason::missing, Reason::rounded}, reason);
}

bool value_of(std::string_view name, Engine& engine) {
  return find(name, {Engine::automatic, Engine::gram, Engine::sample}, engine);
}

bool value_of(std::string_view name, Measure& measure) {
  return find(name, {Measure::m_n, Measure::bayes_accuracy, Measure::q2, Measure::l2}, measure);
}

}  // namespace fsieve::report

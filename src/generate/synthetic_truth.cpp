#include <nlohmann/json.hpp>
#include <utility>

#include "fsieve/generate.h"
#include "fsieve/version.h"
#include "generate/recipe.h"

namespace fsieve {
namespace {

using json = nlohmann::ordered_json;

json names(const std::vector<std::size_t>& features) {
  json list = json::array();
  for (const std::size_t feature : features) list.push_back(feature_name(feature));
  return list;
}

json terms(const Polynomial& polynomial) {
  json list = json::array();
  for (const Monomial& monomial : polynomial) {
    list.push_back({{"coefficient", monomial.coefficient}, {"factors", names(monomial.factors)}});
  }
  return list;
}

// y = the sign of the product of the polynomials.
json label(const Recipe& recipe) {
  if (recipe.label.empty()) return nullptr;
  json polynomials = json::array();
  for (const Polynomial& polynomial : recipe.label) {
    json entry = json::object();
    entry["terms"] = terms(polynomial);
    polynomials.push_back(std::move(entry));
  }
  json object{{"name", "y"}};
  object["sign_of_product"] = std::move(polynomials);
  return object;
}

}  // namespace

std::string synthetic_truth(const GenerateOptions& options) {
  const Recipe recipe = make_recipe(options);
  json object{{"fsieve", version()},
              {"schema", json_schema},
              {"command", "generate"},
              {"kind", name_of(options.kind)},
              {"seed", options.seed},
              {"rows", options.rows},
              {"features", names(recipe.order)}};
  json& informative = object["informative"] = json::array();
  for (std::size_t i = 0; i < recipe.scale.size(); ++i) informative.push_back(feature_name(i));
  json& equations = object["equations"] = json::array();
  for (std::size_t j = 0; j < recipe.redundant.size(); ++j) {
    json entry{{"name", feature_name(recipe.scale.size() + j)}};
    entry["terms"] = terms(recipe.redundant[j]);
    equations.push_back(std::move(entry));
  }
  object["label"] = label(recipe);
  object["relevant"] = names(recipe.relevant);
  return object.dump(2) + "\n";
}

}  // namespace fsieve

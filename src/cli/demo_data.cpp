#include "cli/demo_data.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random_numbers.h"

namespace fsieve::cli {
namespace {

constexpr std::size_t kCars = 398;
constexpr std::uint64_t kSeed = 1970;

double rounded(double value, double step) { return std::round(value / step) * step; }

// To a number of decimals; division gives the double nearest to the decimal number.
double decimals(double value, double scale) { return std::round(value * scale) / scale; }

struct Car {
  double weight, displacement, litres, horsepower, kw, tank, economy, range, seconds_to_100, wheels,
      colour;
};

Car make_car(const RandomNumbers& random, std::size_t row) {
  const auto [size, a] = random.normal(row, 0);
  const auto [b, c] = random.normal(row, 1);
  const auto [d, e] = random.normal(row, 2);
  const double paint = random.uniform(row, 3)[0];
  Car car{};
  car.weight = rounded(1330 + 260 * size + 110 * a, 5);
  car.displacement = std::round(std::max(68.0, 195 + 85 * size + 45 * b));
  car.litres = decimals(0.0163871 * car.displacement, 100);
  car.horsepower = std::round(std::max(42.0, 38 + 0.36 * car.displacement + 14 * c));
  car.kw = decimals(0.7457 * car.horsepower, 10);
  car.tank = std::round(std::max(28.0, 56 + 9 * size + 7 * d));
  car.economy = decimals(std::max(5.0, 12.5 - 1.6 * size + 1.9 * e), 10);
  car.range = std::round(car.tank * car.economy);
  car.seconds_to_100 = decimals(4 + 0.8 * car.weight / car.horsepower + 0.5 * a, 10);
  car.wheels = 4;
  car.colour = std::floor(4 * paint);
  return car;
}

Schema make_schema() {
  Schema schema;
  for (const char* name : {"weight", "displacement", "litres", "horsepower", "kw", "tank",
                           "economy", "range", "seconds_to_100", "wheels"}) {
    schema.features.push_back({name, schema.features.size(), ColumnKind::numeric, {}});
  }
  schema.features.push_back({"colour",
                             schema.features.size(),
                             ColumnKind::categorical,
                             {"blue", "green", "red", "white"}});
  return schema;
}

}  // namespace

std::unique_ptr<MemorySource> demo_cars() {
  Schema schema = make_schema();
  std::vector<double> values(kCars * schema.columns());
  const RandomNumbers random(kSeed, 0);
  for (std::size_t i = 0; i < kCars; ++i) {
    const Car car = make_car(random, i);
    std::size_t j = 0;
    for (const double value :
         {car.weight, car.displacement, car.litres, car.horsepower, car.kw, car.tank, car.economy,
          car.range, car.seconds_to_100, car.wheels, car.colour}) {
      values[j++ * kCars + i] = value;
    }
  }
  return std::make_unique<MemorySource>(std::move(schema), std::move(values), kCars);
}

}  // namespace fsieve::cli

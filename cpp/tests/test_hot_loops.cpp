// The best variant of the hot loops is chosen.
#include <cstdlib>
#include <string>
#include <vector>

#include "variants.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

void the_best_variant_is_chosen() {
  const std::vector<const Hot*> all = variants();
  if (std::getenv("WEAKLEARN_SIMD") == nullptr) CHECK(&hot() == all.back());
  CHECK(std::string(baseline::table.name) == "baseline");
}

}  // namespace

int main() { the_best_variant_is_chosen(); }

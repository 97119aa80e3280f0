// Codes side by side are the codes of the columns, and every feature lies in one band.
#include "mixed.hpp"
#include "weaklearn/columns/dense_codes.hpp"
#include "weaklearn/gradient/bands.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

std::vector<int32_t> every(size_t n, size_t step) {
  std::vector<int32_t> features;
  for (size_t j = 0; j < n; j += step) features.push_back(static_cast<int32_t>(j));
  return features;
}

void the_same_codes() {
  Random random(1);
  for (const size_t m : {1u, 63u, 5000u, 9001u}) {
    std::vector<std::vector<double>> x;
    for (size_t j = 0; j < 41; ++j)
      x.push_back(draw_column(random, kKinds[j % std::size(kKinds)], m, 0.1));
    const Columns columns = code_dense(x);
    const DenseCodes codes(columns);
    for (const size_t step : {1u, 2u, 7u, 40u}) {
      const std::vector<int32_t> features = every(41, step);
      Bands bands(features);
      CHECK(!bands.laid());
      bands.lay(codes, m, 2);
      CHECK(bands.laid());
      size_t seen = 0;
      for (const Piece& piece : bands.divide(features)) {
        CHECK(piece.count == bands.width(piece.band) && piece.count <= kBand);
        CHECK(bands.stride() % kRibbon == 0 && piece.count <= bands.stride());
        CHECK(piece.first == seen);
        for (size_t k = piece.first; k < piece.first + piece.count; ++k, ++seen) {
          const size_t place = bands.place(piece.band, features[k]);
          const uint8_t* const of_band = bands.codes(piece.band);
          for (size_t i = 0; i < m; ++i)
            CHECK(of_band[i * bands.stride() + place] == codes[features[k]][i]);
        }
      }
      CHECK(seen == features.size());
    }
  }
}

// Some of the features: each is found in the band that holds it, and none twice.
void chosen_features() {
  Random random(2);
  const std::vector<int32_t> features = every(100, 3);
  const Bands bands(features);
  CHECK(bands.size() % 2 == 0);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<int32_t> chosen;
    for (const int32_t j : features)
      if (random.chance(0.3)) chosen.push_back(j);
    size_t next = 0;
    for (const Piece& piece : bands.divide(chosen)) {
      CHECK(piece.first == next && piece.count > 0);
      for (size_t k = 0; k < piece.count; ++k, ++next)
        CHECK(bands.place(piece.band, chosen[next]) < bands.width(piece.band));
    }
    CHECK(next == chosen.size());
  }
  const std::vector<int32_t> none;
  CHECK(Bands(none).size() == 0 && Bands(none).divide({}).empty());
}

}  // namespace

int main() {
  the_same_codes();
  chosen_features();
}

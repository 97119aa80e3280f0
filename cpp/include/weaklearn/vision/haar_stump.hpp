// A stump on a rectangle feature, and how confidence-rated ones are rated.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace weaklearn {

struct HaarStump {
  size_t feature = 0;
  double threshold = 0;
  // Shares of the weight: label -1 and +1 at or below the threshold, and above it.
  double low[2] = {0, 0}, high[2] = {0, 0};
  int8_t polarity = 1;
  size_t opened = 0;
};

enum class Rating : uint8_t { real, gentle };  // least sum of sqrt(W+ W-), least squared error

// The rating of a cut by the weights on its sides, label +1 and -1 at or below it and above; the
// greater, the better.
inline double merit_of(double lp, double ln, double rp, double rn, Rating rating) {
  if (rating == Rating::real) return -(std::sqrt(lp * ln) + std::sqrt(rp * rn));
  const auto half = [](double p, double n) {
    return p + n > 0 ? (p - n) * (p - n) / (p + n) : 0.0;
  };
  return half(lp, ln) + half(rp, rn);
}

}  // namespace weaklearn

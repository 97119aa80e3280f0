// Values are sums of pixels, and the search finds the first of the best stumps over all of them.
#include "check.hpp"
#include "weaklearn/vision/haar_search.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

struct Scene {
  size_t n, height, width;
  std::vector<int32_t> pixels;
  std::vector<int32_t> rects;
  std::vector<double> weight;
  std::vector<int64_t> start{0};
  std::vector<int8_t> y;

  Scene(Random& random, size_t windows, size_t h, size_t w, int32_t levels)
      : n(windows), height(h), width(w) {
    for (size_t i = 0; i < n * h * w; ++i)
      pixels.push_back(static_cast<int32_t>(random.below(static_cast<size_t>(levels))));
    for (size_t i = 0; i < n; ++i) y.push_back(random.sign());
    for (size_t top = 0; top < h; ++top)
      for (size_t left = 0; left + 1 < w; ++left)
        for (size_t uh = 1; top + uh <= h; ++uh)
          for (size_t uw = 1; left + 2 * uw <= w; ++uw) {
            add(top, left, uh, uw, -1);
            add(top, left + uw, uh, uw, 1);
            start.push_back(static_cast<int64_t>(weight.size()));
          }
  }
  void add(size_t top, size_t left, size_t h, size_t w, double by) {
    for (size_t x : {top, left, h, w}) rects.push_back(static_cast<int32_t>(x));
    weight.push_back(by);
  }
  size_t n_features() const { return start.size() - 1; }

  template <class T>
  double value(size_t i, size_t f) const {
    double sum = 0, all = 0, squares = 0;
    for (int64_t r = start[f]; r < start[f + 1]; ++r)
      for (int32_t a = 0; a < rects[4 * r + 2]; ++a)
        for (int32_t b = 0; b < rects[4 * r + 3]; ++b)
          sum += weight[r] * pixels[(i * height + rects[4 * r] + a) * width + rects[4 * r + 1] + b];
    for (size_t k = 0; k < height * width; ++k) {
      const double p = pixels[i * height * width + k];
      all += p;
      squares += p * p;
    }
    const double area = static_cast<double>(height * width);
    const double spread = area * squares - all * all;
    double sigma = std::sqrt(spread) / area;
    if (!std::is_integral_v<T>)
      sigma = std::sqrt(std::max(0.0, squares / area - (all / area) * (all / area)));
    return sum / (sigma > 0 ? sigma : 1.0);
  }
};

// Tries every feature, every threshold and both polarities, in the order of preference.
HaarStump tried_all(const std::vector<std::vector<double>>& values, const Weights& weights) {
  const int64_t tied = 2 * (weights.total() / 1'000'000'000'000);
  int64_t best = -1;
  HaarStump found;
  for (bool choosing : {false, true})
    for (size_t f = 0; f < values.size(); ++f) {
      std::vector<size_t> order(values[f].size());
      std::iota(order.begin(), order.end(), size_t{0});
      std::sort(order.begin(), order.end(),
                [&](size_t a, size_t b) { return values[f][a] < values[f][b]; });
      int64_t all = 0, left = 0;
      for (size_t i : order) all += weights.value()[i];
      for (size_t k = 0; k < order.size(); ++k) {
        const double x = values[f][order[k]];
        const double before = k == 0 ? 0 : values[f][order[k - 1]];
        if (k == 0 || x != before) {
          const int64_t R = std::abs(all - 2 * left);
          if (!choosing) best = std::max(best, R);
          if (choosing && R >= best - tied) {
            found.feature = f;
            found.threshold = k == 0 ? cut_below(x) : cut_between(before, x);
            found.polarity = all - 2 * left >= 0 ? 1 : -1;
            return found;
          }
        }
        left += weights.value()[order[k]];
      }
    }
  return found;
}

template <class T>
void plays(Random& random, size_t n, size_t height, size_t width, int32_t levels) {
  const Scene scene(random, n, height, width, levels);
  const std::vector<T> pixels(scene.pixels.begin(), scene.pixels.end());
  const WindowStack<T> stack(pixels.data(), n, height, width, 2);
  const HaarFeatures<T> features(width, scene.rects.data(), scene.weight.data(), scene.start.data(),
                                 scene.n_features());
  std::vector<std::vector<double>> values(features.size(), std::vector<double>(n));
  std::vector<double> column(stack.n_bundles() * kLanes);
  for (size_t f = 0; f < features.size(); ++f) {
    stack.values(features, f, column.data());
    for (size_t i = 0; i < n; ++i) {
      values[f][i] = column[i];
      CHECK(column[i] == stack.value(features, f, i));
      CHECK(std::abs(column[i] - scene.value<T>(i, f)) <= 1e-9 * (1 + std::abs(column[i])));
    }
  }
  std::vector<double> table(n * features.size());
  haar_values(stack, features, true, table.data(), 2);
  for (size_t f = 0; f < features.size(); ++f)
    for (size_t i = 0; i < n; ++i) CHECK(table[i * features.size() + f] == values[f][i]);
  for (size_t keep : {size_t{0}, size_t{7} * stack.n_bundles() * kLanes, size_t{1} << 30}) {
    HaarSearch<T> search(stack, features, keep, 1 + static_cast<int>(keep % 2));
    Weights weights(n, nullptr, nullptr, scene.y.data());
    for (int round = 0; round < 6; ++round) {
      const HaarStump found = search.search(weights), wanted = tried_all(values, weights);
      CHECK(found.feature == wanted.feature);
      CHECK(found.threshold == wanted.threshold);
      CHECK(found.polarity == wanted.polarity);
      Verdict verdict(n);
      for (size_t i = 0; i < n; ++i) {
        const int above = values[found.feature][i] > found.threshold ? 1 : -1;
        verdict.side[i] = static_cast<int8_t>(above * found.polarity * scene.y[i]);
      }
      const double wrong = weights.mass(verdict, -1);
      CHECK(std::abs(found.low[0] + found.low[1] + found.high[0] + found.high[1] - 1) < 1e-9);
      const double told =
          found.polarity > 0 ? found.low[1] + found.high[0] : found.low[0] + found.high[1];
      CHECK(std::abs(told - wrong) < 1e-9);
      if (wrong <= 0 || wrong >= 0.5) break;
      weights.reweight(0.5 * std::log((1 - wrong) / wrong), verdict, 1);
    }
  }
}

// Codes rise with values, and both ends have one.
void codes_rise() {
  Random random(5);
  double x[kLanes];
  uint8_t code[kLanes];
  for (int t = 0; t < 200; ++t) {
    for (double& v : x)
      v = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(60)) - 20);
    x[0] = -1e300;
    x[1] = 1e300;
    x[2] = 0.25;
    std::sort(x, x + kLanes);
    hot().spread_codes(x, 0.25, std::ldexp(1.0, static_cast<int>(random.below(9)) - 4), code);
    for (size_t i = 1; i < kLanes; ++i) CHECK(code[i - 1] <= code[i]);
    CHECK(code[0] == 0);
    CHECK(code[kLanes - 1] == 255);
  }
}

}  // namespace

int main() {
  codes_rise();
  Random random(1);
  for (int t = 0; t < 4; ++t) {
    plays<int32_t>(random, 300, 4, 5, 256);
    plays<int32_t>(random, 64, 3, 4, 2);  // many ties, and windows of one grey
    plays<double>(random, 150, 4, 4, 256);
  }
  plays<int32_t>(random, 1, 2, 2, 9);
  plays<int32_t>(random, 2, 1, 2, 2);
}

// Rectangle features of windows: values from integral images, for many windows at a time.
//
// The integral images of a stack of windows are kept in bundles of 256 windows, corner by corner:
// a feature is a few such rows added up, one lane a window. Whole pixels are summed in int32 where
// nothing can overflow, everything else in double. Values are divided by the deviation sigma of
// their window (1 where all its pixels are equal): sigma^2 = mean(x^2) - mean(x)^2.
//
// Cost: at most 9 additions a value for the features of the text; 4 (or 8) bytes a corner and
// window.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "weaklearn/hot/aligned.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/pool.hpp"

namespace weaklearn {

constexpr size_t kLanes = 256;  // windows of a bundle: their integral images stay in the cache

// Features as the corners of their rectangles: a value is the sum of factor * integral at `place`.
template <class T>
class HaarFeatures {
 public:
  // rects: top, left, height, width of each; feature f has rectangles start[f] .. start[f + 1] - 1.
  HaarFeatures(size_t width, const int32_t* rects, const double* weight, const int64_t* start,
               size_t n)
      : first_(n + 1, 0) {
    for (size_t f = 0; f < n; ++f) {
      first_[f] = static_cast<uint32_t>(place_.size());
      for (int64_t r = start[f]; r < start[f + 1]; ++r) {
        const auto top = static_cast<uint32_t>(rects[4 * r]),
                   left = static_cast<uint32_t>(rects[4 * r + 1]);
        const uint32_t bottom = top + static_cast<uint32_t>(rects[4 * r + 2]),
                       right = left + static_cast<uint32_t>(rects[4 * r + 3]);
        const T w = static_cast<T>(weight[r]);
        const auto row = static_cast<uint32_t>(width + 1);
        add(first_[f], bottom * row + right, w);
        add(first_[f], top * row + left, w);
        add(first_[f], bottom * row + left, -w);
        add(first_[f], top * row + right, -w);
      }
    }
    first_[n] = static_cast<uint32_t>(place_.size());
  }
  size_t size() const { return first_.size() - 1; }
  size_t n_corners(size_t f) const { return first_[f + 1] - first_[f]; }
  const uint32_t* places(size_t f) const { return &place_[first_[f]]; }
  const T* factors(size_t f) const { return &factor_[first_[f]]; }

 private:
  // Corners that rectangles share are looked up once.
  void add(size_t first, uint32_t place, T factor) {
    for (size_t k = first; k < place_.size(); ++k)
      if (place_[k] == place) {
        factor_[k] += factor;
        if (factor_[k] != T(0)) return;
        place_.erase(place_.begin() + static_cast<ptrdiff_t>(k));
        factor_.erase(factor_.begin() + static_cast<ptrdiff_t>(k));
        return;
      }
    place_.push_back(place);
    factor_.push_back(factor);
  }

  std::vector<uint32_t> first_, place_;
  std::vector<T> factor_;
};

inline void corner_sums(const int32_t* planes, const uint32_t* place, const int32_t* factor,
                        size_t n_corners, int32_t* out) {
  hot().corner_sums(planes, place, factor, n_corners, out);
}
inline void corner_sums(const double* planes, const uint32_t* place, const double* factor,
                        size_t n_corners, double* out) {
  hot().corner_sums_f64(planes, place, factor, n_corners, out);
}
inline void divide(const int32_t* sum, const double* by, double* out) {
  hot().quotients(sum, by, out);
}
inline void divide(const double* sum, const double* by, double* out) {
  for (size_t i = 0; i < kLanes; ++i) out[i] = sum[i] / by[i];
}

// Integral images and deviations of n windows of height x width pixels.
template <class T>
class WindowStack {
 public:
  WindowStack(const T* pixels, size_t n, size_t height, size_t width, int threads)
      : n_(n), height_(height), width_(width), corners_((height + 1) * (width + 1)) {
    planes_.assign(n_bundles() * corners_ * kLanes, T(0));
    sigma_.assign(n_bundles() * kLanes, 1.0);
    Pool::instance().run(n_bundles(), threads, [&](size_t b) {
      for (size_t i = b * kLanes; i < std::min(n_, (b + 1) * kLanes); ++i)
        take(pixels + i * height_ * width_, i);
    });
  }
  // The listed windows of another stack.
  WindowStack(const WindowStack& of, const std::vector<size_t>& windows)
      : n_(windows.size()), height_(of.height_), width_(of.width_), corners_(of.corners_) {
    planes_.assign(n_bundles() * corners_ * kLanes, T(0));
    sigma_.assign(n_bundles() * kLanes, 1.0);
    for (size_t k = 0; k < n_; ++k) {
      const size_t i = windows[k];
      const T* from = of.planes(i / kLanes) + i % kLanes;
      T* to = &planes_[(k / kLanes) * corners_ * kLanes + k % kLanes];
      for (size_t c = 0; c < corners_; ++c) to[c * kLanes] = from[c * kLanes];
      sigma_[k] = of.sigma_[i];
    }
  }
  size_t size() const { return n_; }
  size_t height() const { return height_; }
  size_t width() const { return width_; }
  size_t n_corners() const { return corners_; }
  size_t n_bundles() const { return (n_ + kLanes - 1) / kLanes; }
  const T* planes(size_t bundle) const { return &planes_[bundle * corners_ * kLanes]; }
  const double* sigma(size_t bundle) const { return &sigma_[bundle * kLanes]; }

  // The value of one feature in one window, as the bundles have it.
  T sum(const HaarFeatures<T>& features, size_t f, size_t i) const {
    const T* own = planes(i / kLanes) + i % kLanes;
    T sum = T(0);
    for (size_t k = 0; k < features.n_corners(f); ++k)
      sum += features.factors(f)[k] * own[features.places(f)[k] * kLanes];
    return sum;
  }
  double value(const HaarFeatures<T>& features, size_t f, size_t i) const {
    return static_cast<double>(sum(features, f, i)) / sigma_[i];
  }
  // Normalised values of a feature in all windows; room for whole bundles is wanted.
  void values(const HaarFeatures<T>& features, size_t f, double* out) const {
    T sums[kLanes];
    for (size_t b = 0; b < n_bundles(); ++b) {
      corner_sums(planes(b), features.places(f), features.factors(f), features.n_corners(f), sums);
      divide(sums, sigma(b), out + b * kLanes);
    }
  }

 private:
  void take(const T* pixels, size_t i) {
    T* own = &planes_[(i / kLanes) * corners_ * kLanes + i % kLanes];
    // Sums of pixels and squares: whole numbers exactly, others less the first of them, so that a
    // large mean takes no digits from the deviation and equal pixels have none.
    using Wide = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
    const Wide origin = std::is_integral_v<T> ? Wide{0} : static_cast<Wide>(pixels[0]);
    Wide all = 0, squares = 0;
    for (size_t y = 0; y < height_; ++y) {
      T row = T(0);
      for (size_t x = 0; x < width_; ++x) {
        const T pixel = pixels[y * width_ + x];
        row += pixel;
        const Wide level = static_cast<Wide>(pixel) - origin;
        all += level;
        squares += level * level;
        const size_t at = (y + 1) * (width_ + 1) + x + 1;
        own[at * kLanes] = own[(at - width_ - 1) * kLanes] + row;
      }
    }
    const double area = static_cast<double>(height_ * width_);
    double sigma;
    if constexpr (std::is_integral_v<T>) {
      const auto spread = static_cast<Wide>(height_ * width_) * squares - all * all;
      sigma = std::sqrt(static_cast<double>(spread)) / area;
    } else {
      const double mean = all / area;
      sigma = std::sqrt(std::max(0.0, squares / area - mean * mean));
    }
    sigma_[i] = sigma > 0 ? sigma : 1.0;
  }

  size_t n_, height_, width_, corners_;
  Aligned<T> planes_;
  std::vector<double> sigma_;
};

// Values of all features in all windows, (windows, features); divided by sigma where asked.
template <class T, class Real>
void haar_values(const WindowStack<T>& stack, const HaarFeatures<T>& features, bool normalised,
                 Real* out, int threads) {
  const size_t n = stack.size(), d = features.size();
  Pool::instance().run(stack.n_bundles(), threads, [&](size_t b) {
    T sums[kLanes];
    const size_t first = b * kLanes, count = std::min(kLanes, n - first);
    for (size_t f = 0; f < d; ++f) {
      corner_sums(stack.planes(b), features.places(f), features.factors(f), features.n_corners(f),
                  sums);
      for (size_t i = 0; i < count; ++i) {
        Real x = static_cast<Real>(sums[i]);
        if constexpr (std::is_same_v<Real, double>)
          if (normalised) x = static_cast<double>(sums[i]) / stack.sigma(b)[i];
        out[(first + i) * d + f] = x;
      }
      if (f % 1024 == 0) Pool::check_interrupt();
    }
  });
}

}  // namespace weaklearn

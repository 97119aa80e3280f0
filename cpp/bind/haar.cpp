#include "weaklearn/vision/haar.hpp"

#include "bind.hpp"
#include "weaklearn/vision/haar_search.hpp"

namespace weaklearn::bind {
namespace {

template <class T>
using Windows = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Rects = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Windows with the features looked at, as searches and values need them.
template <class T>
struct Bank {
  WindowStack<T> stack;
  HaarFeatures<T> features;
};

void check(size_t height, size_t width, const Rects& rects, const Vector<double>& weight,
           const Vector<int64_t>& start) {
  if (rects.shape(1) != 4) throw std::invalid_argument("a rectangle has four numbers");
  expect(weight.shape(0), rects.shape(0), "weight");
  if (start.shape(0) < 1 || start.data()[0] != 0 ||
      start.data()[start.shape(0) - 1] != static_cast<int64_t>(rects.shape(0)))
    throw std::invalid_argument("start does not cover the rectangles");
  for (size_t f = 0; f + 1 < start.shape(0); ++f)
    if (start.data()[f] > start.data()[f + 1]) throw std::invalid_argument("start does not rise");
  for (size_t r = 0; r < rects.shape(0); ++r) {
    const int32_t* at = rects.data() + 4 * r;
    const bool inside = at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[3] >= 0 &&
                        static_cast<size_t>(at[0]) + static_cast<size_t>(at[2]) <= height &&
                        static_cast<size_t>(at[1]) + static_cast<size_t>(at[3]) <= width;
    if (!inside) throw std::invalid_argument("a rectangle lies outside the window");
  }
}

template <class T>
std::unique_ptr<Bank<T>> make_bank(const Windows<T>& pixels, const Rects& rects,
                                   const Vector<double>& weight, const Vector<int64_t>& start,
                                   int threads) {
  const size_t height = pixels.shape(1), width = pixels.shape(2);
  check(height, width, rects, weight, start);
  std::unique_ptr<Bank<T>> bank;
  without_gil([&] {
    bank.reset(new Bank<T>{
        WindowStack<T>(pixels.data(), pixels.shape(0), height, width, threads),
        HaarFeatures<T>(width, rects.data(), weight.data(), start.data(), start.shape(0) - 1)});
  });
  return bank;
}

template <class T, class Real>
Out<Real> values(const Bank<T>& bank, bool normalised, int threads) {
  const size_t n = bank.stack.size(), d = bank.features.size();
  auto out = std::make_unique_for_overwrite<Real[]>(n * d);
  without_gil([&] { haar_values(bank.stack, bank.features, normalised, out.get(), threads); });
  return give(std::move(out), {n, d});
}

// Normalised values of one feature in all windows.
template <class T>
Out<double> column(const Bank<T>& bank, size_t f) {
  if (f >= bank.features.size()) throw nb::index_error("no such feature");
  const size_t n = bank.stack.size();
  auto out = std::make_unique_for_overwrite<double[]>(bank.stack.n_bundles() * kLanes);
  without_gil([&] { bank.stack.values(bank.features, f, out.get()); });
  return give(std::move(out), {n});
}

nb::tuple told(const HaarStump& stump) {
  return nb::make_tuple(stump.feature, stump.threshold, static_cast<int>(stump.polarity),
                        nb::make_tuple(stump.low[0], stump.low[1]),
                        nb::make_tuple(stump.high[0], stump.high[1]), stump.opened);
}

template <class T>
nb::tuple rate(HaarSearch<T>& self, size_t n, const Vector<double>& prior, const Vector<double>& F,
               const Vector<int8_t>& y, bool gentle) {
  expect(prior.shape(0), n, "prior");
  expect(F.shape(0), n, "the scores");
  expect(y.shape(0), n, "the labels");
  HaarStump found;
  without_gil([&] {
    found = self.rate(prior.data(), F.data(), y.data(), gentle ? Rating::gentle : Rating::real);
  });
  return told(found);
}

template <class T>
struct Search {
  HaarSearch<T> search;
  size_t n;
};

template <class T>
void bank_of(nb::module_& m, const char* bank, const char* search) {
  auto windows = nb::class_<Bank<T>>(m, bank, "Windows and rectangle features of them.")
                     .def_static("make", &make_bank<T>, nb::arg("pixels").noconvert(),
                                 nb::arg("rects").noconvert(), nb::arg("weight").noconvert(),
                                 nb::arg("start").noconvert(), nb::arg("threads"))
                     .def("column", &column<T>, nb::arg("feature"))
                     .def("values", &values<T, double>, nb::arg("normalised"), nb::arg("threads"));
  if constexpr (std::is_integral_v<T>)
    windows.def(
        "whole_values",
        [](const Bank<T>& self, int threads) { return values<T, int64_t>(self, false, threads); },
        nb::arg("threads"));
  nb::class_<Search<T>>(m, search, "The best stump over rectangle features of windows.")
      .def(
          "__init__",
          [](Search<T>* self, const Bank<T>& of, size_t keep, int threads) {
            if (of.stack.size() == 0 || of.features.size() == 0)
              throw std::invalid_argument("no windows, or no features");
            without_gil([&] {
              new (self)
                  Search<T>{HaarSearch<T>(of.stack, of.features, keep, threads), of.stack.size()};
            });
          },
          nb::arg("bank"), nb::arg("keep"), nb::arg("threads"), nb::keep_alive<1, 2>())
      .def(
          "search",
          [](Search<T>& self, const Weights& weights) {
            expect(weights.size(), self.n, "the weights");
            HaarStump found;
            without_gil([&] { found = self.search.search(weights); });
            return told(found);
          },
          nb::arg("weights"), "Feature, threshold, polarity, weights below and above, opened.")
      .def(
          "rate",
          [](Search<T>& self, const Vector<double>& prior, const Vector<double>& F,
             const Vector<int8_t>& y,
             bool gentle) { return rate(self.search, self.n, prior, F, y, gentle); },
          nb::arg("prior").noconvert(), nb::arg("scores").noconvert(),
          nb::arg("labels").noconvert(), nb::arg("gentle"))
      .def_prop_ro("n_kept", [](const Search<T>& self) { return self.search.n_kept(); });
}

}  // namespace

void haar(nb::module_& m) {
  bank_of<int32_t>(m, "WindowBank", "HaarSearch");
  bank_of<double>(m, "FloatWindowBank", "FloatHaarSearch");
}

}  // namespace weaklearn::bind

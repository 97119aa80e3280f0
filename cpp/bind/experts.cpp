#include "weaklearn/online/experts.hpp"

#include "bind.hpp"
#include "weaklearn/online/present_cells.hpp"

namespace weaklearn::bind {
namespace {

template <class T>
using Cells = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void within(const Vector<int32_t>& codes, size_t n, const char* what) {
  uint32_t most = 0;  // a code below 0 is a large one without its sign
  for (size_t i = 0; i < codes.shape(0); ++i)
    most = std::max(most, static_cast<uint32_t>(codes.data()[i]));
  if (codes.shape(0) > 0 && (most >= n || most > INT32_MAX))
    throw std::invalid_argument(std::string(what) + " is out of range");
}

nb::tuple play(double epsilon, const Room<double>& chances, const Room<int64_t>& mistakes,
               const Vector<int64_t>& start, const Vector<int32_t>& expert,
               const Vector<int32_t>& label, const Vector<int32_t>& truth,
               const Vector<double>& place, size_t n_labels, bool learns) {
  const size_t T = truth.shape(0), n_cells = expert.shape(0);
  expect(mistakes.shape(0), chances.shape(0), "mistakes");
  expect(start.shape(0), T + 1, "start");
  expect(label.shape(0), n_cells, "label");
  expect(place.shape(0), T, "place");
  const int64_t* const at = start.data();
  if (at[0] != 0 || at[T] != static_cast<int64_t>(n_cells))
    throw std::invalid_argument("start does not begin at 0 and end at the number of cells");
  for (size_t t = 0; t < T; ++t)
    if (at[t] > at[t + 1]) throw std::invalid_argument("start falls");
  within(expert, chances.shape(0), "an expert");
  within(label, n_labels, "a label");
  within(truth, n_labels, "a true label");
  auto chance = std::make_unique_for_overwrite<double[]>(T);
  auto majority = std::make_unique_for_overwrite<int32_t[]>(T);
  auto drawn = std::make_unique_for_overwrite<int32_t[]>(T);
  without_gil([&] {
    Experts experts(epsilon, chances.data(), mistakes.data());
    experts.play({T, at, expert.data(), label.data(), truth.data()}, n_labels, place.data(),
                 {chance.get(), majority.get(), drawn.get()}, learns);
  });
  return nb::make_tuple(give(std::move(chance), {T}), give(std::move(majority), {T}),
                        give(std::move(drawn), {T}));
}

template <class T>
nb::tuple present(const Cells<T>& cells) {
  PresentCells found;
  without_gil([&] { found = present_cells(cells.data(), cells.shape(0), cells.shape(1)); });
  return nb::make_tuple(array_of(found.start, {found.start.size()}),
                        array_of(found.column, {found.column.size()}),
                        array_of(found.value, {found.value.size()}));
}

}  // namespace

void experts(nb::module_& m) {
  m.def(
      "play_experts", &play, nb::arg("epsilon"), nb::arg("chances").noconvert(),
      nb::arg("mistakes").noconvert(), nb::arg("start").noconvert(), nb::arg("expert").noconvert(),
      nb::arg("label").noconvert(), nb::arg("truth").noconvert(), nb::arg("place").noconvert(),
      nb::arg("n_labels"), nb::arg("learns"),
      "Plays examples against sleeping experts and tells the chance of a mistake, the label of "
      "most weight and a drawn one of each; chances and mistakes of experts change if it learns.");
  m.def("present", &present<double>, nb::arg("cells").noconvert(),
        "The cells that are not NaN: starts of rows, columns, values.");
  m.def("present", &present<float>, nb::arg("cells").noconvert());
}

}  // namespace weaklearn::bind

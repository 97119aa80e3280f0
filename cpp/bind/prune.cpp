#include "weaklearn/tree/prune.hpp"

#include "bind.hpp"

namespace weaklearn::bind {
namespace {

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Out<double> errors(const Vector<double>& E, const Vector<double>& N) {
  expect(E.shape(0), N.shape(0), "E");
  auto found = std::make_unique_for_overwrite<double[]>(N.shape(0));
  for (size_t i = 0; i < N.shape(0); ++i) found[i] = upper_errors(E.data()[i], N.data()[i]);
  return give(std::move(found), {N.shape(0)});
}

Out<int32_t> collapsed(const Vector<int32_t>& first, const Vector<int32_t>& width,
                       const Vector<double>& weight, const Vector<int64_t>& count,
                       const Vector<int32_t>& value, const Values& values, int threads) {
  const size_t n = width.shape(0), n_values = values.shape(0);
  for (const size_t found : {first.shape(0), weight.shape(0), count.shape(0), value.shape(0)})
    expect(found, n, "an array of the tree");
  if (n == 0 || values.shape(1) == 0) throw std::invalid_argument("the tree is empty");
  for (size_t i = 0; i < n; ++i) {
    const int64_t begin = first.data()[i], end = begin + width.data()[i];
    const bool inside = begin > static_cast<int64_t>(i) && end <= static_cast<int64_t>(n);
    if (width.data()[i] < 0 || (width.data()[i] > 0 && !inside))
      throw std::invalid_argument("children must stand after their parent");
    if (value.data()[i] < 0 || static_cast<size_t>(value.data()[i]) >= n_values)
      throw std::invalid_argument("a node has no value");
  }
  std::vector<int32_t> nodes;
  without_gil([&] {
    const Shares tree{n,
                      first.data(),
                      width.data(),
                      weight.data(),
                      count.data()[0],
                      value.data(),
                      values.data(),
                      n_values,
                      values.shape(1)};
    nodes = pessimistic(tree, threads);
  });
  return array_of(nodes, {nodes.size()});
}

}  // namespace

void prune(nb::module_& m) {
  m.def("upper_errors", &errors, nb::arg("E").noconvert(), nb::arg("N").noconvert(),
        "The errors to expect of leaves that made E errors on N examples.");
  m.def("pessimistic", &collapsed, nb::arg("first").noconvert(), nb::arg("width").noconvert(),
        nb::arg("weight").noconvert(), nb::arg("count").noconvert(), nb::arg("value").noconvert(),
        nb::arg("values").noconvert(), nb::arg("threads"),
        "The nodes of a tree that pessimistic pruning makes leaves.");
}

}  // namespace weaklearn::bind

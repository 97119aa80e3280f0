// Trees as Python hands them over.
#pragma once

#include "bind.hpp"
#include "weaklearn/tree/tree_view.hpp"

namespace weaklearn::bind {

template <class T>
const T* listed(const nb::tuple& arrays, size_t at, size_t n, const char* what) {
  const auto array = nb::cast<Vector<T>>(arrays[at], false);
  expect(array.shape(0), n, what);
  return array.data();
}

// A tree's arrays in the order of TreeArrays; the tuple keeps them alive.
inline TreeView view_of(const nb::tuple& arrays) {
  using Table = nb::ndarray<const uint64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
  using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  expect(arrays.size(), 11, "a tree");
  TreeView tree;
  tree.n = nb::cast<Vector<uint8_t>>(arrays[0], false).shape(0);
  tree.ask = listed<uint8_t>(arrays, 0, tree.n, "ask");
  tree.feature = listed<int32_t>(arrays, 1, tree.n, "feature");
  tree.threshold = listed<double>(arrays, 2, tree.n, "threshold");
  tree.first = listed<int32_t>(arrays, 3, tree.n, "first");
  tree.width = listed<int32_t>(arrays, 4, tree.n, "width");
  tree.missing = listed<int32_t>(arrays, 5, tree.n, "missing");
  tree.subset = listed<int32_t>(arrays, 6, tree.n, "subset");
  tree.value = listed<int32_t>(arrays, 7, tree.n, "value");
  if (nb::cast<Vector<double>>(arrays[8], false).shape(0) != 0)
    tree.weight = listed<double>(arrays, 8, tree.n, "weight");
  const auto subsets = nb::cast<Table>(arrays[9], false);
  tree.n_subsets = subsets.shape(0);
  tree.subsets = reinterpret_cast<const CategorySet*>(subsets.data());
  const auto values = nb::cast<Values>(arrays[10], false);
  tree.n_values = values.shape(0);
  tree.n_outputs = values.shape(1);
  tree.values = values.data();
  return tree;
}

}  // namespace weaklearn::bind

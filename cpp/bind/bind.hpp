// What the binding files share: array types, and how a kernel runs with the GIL released.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <stdexcept>

#include "weaklearn/threads/pool.hpp"
#include "weaklearn/threads/profile.hpp"
#include "weaklearn/tree/tree.hpp"

namespace nb = nanobind;

namespace weaklearn::bind {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Room = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;  // to be written into
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;  // any strides
template <class T>
using Out = nb::ndarray<nb::numpy, T>;

template <class T>
Out<T> give(std::unique_ptr<T[]> data, std::initializer_list<size_t> shape) {
  T* raw = data.release();
  nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Out<T>(raw, shape, owner);
}

// A list in Python of what C++ calls T. It is read within the function it is given to, because
// nanobind's own casters of lists end the process where memory runs out.
template <class T>
struct Entry {
  using InPython = T;
  static T read(nb::handle entry) { return nb::cast<T>(entry); }
};
template <class T>
using Listed = nb::typed<nb::sequence, typename Entry<T>::InPython>;

template <class T>
std::vector<T> vector_of(const nb::sequence& list) {
  std::vector<T> out;
  for (const nb::handle entry : list) out.push_back(Entry<T>::read(entry));
  return out;
}

template <class T>
struct Entry<std::vector<T>> {
  using InPython = Listed<T>;
  static std::vector<T> read(nb::handle entry) {
    return vector_of<T>(nb::cast<nb::sequence>(entry));
  }
};

// Runs a kernel without the GIL. An interrupt leaves Python's error set; it is raised here.
template <class Work>
void without_gil(Work&& work) {
  const Timed timed(Phase::calls);
  try {
    nb::gil_scoped_release release;
    work();
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

inline void expect(size_t found, size_t wanted, const char* what) {
  if (found != wanted)
    throw std::invalid_argument(std::string(what) + " has " + std::to_string(found) +
                                " entries, expected " + std::to_string(wanted));
}

template <class T>
Out<T> array_of(const std::vector<T>& from, std::initializer_list<size_t> shape) {
  auto data = std::make_unique_for_overwrite<T[]>(from.size());
  std::copy(from.begin(), from.end(), data.get());
  return give(std::move(data), shape);
}

// The arrays of a tree by name.
inline nb::dict arrays_of(const TreeArrays& tree) {
  const size_t n = tree.size();
  nb::dict d;
  d["ask"] = array_of(tree.ask, {n});
  d["feature"] = array_of(tree.feature, {n});
  d["threshold"] = array_of(tree.threshold, {n});
  d["first"] = array_of(tree.first, {n});
  d["width"] = array_of(tree.width, {n});
  d["missing"] = array_of(tree.missing, {n});
  d["subset"] = array_of(tree.subset, {n});
  d["value"] = array_of(tree.value, {n});
  d["weight"] = array_of(tree.weight, {n});
  d["count"] = array_of(tree.count, {n});
  d["gain"] = array_of(tree.gain, {n});
  std::vector<uint64_t> words;
  for (const CategorySet& set : tree.subsets) words.insert(words.end(), set.word, set.word + 4);
  d["subsets"] = array_of(words, {tree.subsets.size(), 4});
  d["values"] = array_of(tree.values, {tree.values.size() / tree.n_outputs, tree.n_outputs});
  return d;
}

void collective(nb::module_& m);
void columns(nb::module_& m);
void rows_by_content(nb::module_& m);
void weights(nb::module_& m);
void stump(nb::module_& m);
void score(nb::module_& m);
void gradient_grower(nb::module_& m);
void logistic(nb::module_& m);
void rank(nb::module_& m);
void tree_grower(nb::module_& m);
void labels(nb::module_& m);
void linear(nb::module_& m);
void tables(nb::module_& m);
void cells(nb::module_& m);
void forest(nb::module_& m);
void prune(nb::module_& m);
void numeric_rows(nb::module_& m);
void shap(nb::module_& m);
void experts(nb::module_& m);
void image_scan(nb::module_& m);
void boxes(nb::module_& m);
void haar(nb::module_& m);
void interior_point(nb::module_& m);
void rule(nb::module_& m);

}  // namespace weaklearn::bind

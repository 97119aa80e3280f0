// What the binding files share: array types, and how a kernel runs with the GIL released.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <stdexcept>

#include "weaklearn/pool.hpp"

namespace nb = nanobind;

namespace weaklearn::bind {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
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

// Runs a kernel without the GIL. An interrupt leaves Python's error set; it is raised here.
template <class Work>
void without_gil(Work&& work) {
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

void columns(nb::module_& m);
void weights(nb::module_& m);
void stump(nb::module_& m);
void score(nb::module_& m);

}  // namespace weaklearn::bind

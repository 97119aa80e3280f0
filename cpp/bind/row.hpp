// One row of plain numbers, as a Python list: the way into a kernel that makes no array.
#pragma once

#include <cmath>
#include <vector>

#include "bind.hpp"

namespace weaklearn::bind {

// The numbers of a list, once it was found plain: floats and whole numbers that doubles hold, none
// infinite, as many as there are columns. Whatever else a row may be is for the slow way to read.
class PlainRow {
 public:
  PlainRow(nb::handle row, size_t n) {
    if (!PyList_CheckExact(row.ptr()) || PyList_Size(row.ptr()) != static_cast<Py_ssize_t>(n))
      return;
    if (n > std::size(near_)) far_.resize(n);
    double* const to = n > std::size(near_) ? far_.data() : near_;
    for (size_t j = 0; j < n; ++j) {
      PyObject* const cell = PyList_GetItem(row.ptr(), static_cast<Py_ssize_t>(j));  // borrowed
      if (cell == nullptr || !read(cell, to[j])) {
        PyErr_Clear();
        return;
      }
    }
    x_ = to;
  }
  PlainRow(const PlainRow&) = delete;
  PlainRow& operator=(const PlainRow&) = delete;

  const double* x() const { return x_; }  // null where the row is not plain

 private:
  static constexpr double kExact = 9007199254740992.0;  // 2^53

  static bool read(PyObject* cell, double& x) {
    if (PyFloat_CheckExact(cell)) {
      x = PyFloat_AsDouble(cell);
      return !std::isinf(x);
    }
    if (!PyLong_CheckExact(cell)) return false;
    x = PyLong_AsDouble(cell);
    return std::abs(x) <= kExact && !(x == -1.0 && PyErr_Occurred() != nullptr);
  }

  const double* x_ = nullptr;
  double near_[256];
  std::vector<double> far_;
};

// The scores of one row: a number where there is one.
inline nb::object scores_of(const double* score, size_t k) {
  if (k == 1) return nb::float_(score[0]);
  auto out = std::make_unique<double[]>(k);
  std::copy(score, score + k, out.get());
  return nb::cast(give(std::move(out), {k}));
}

}  // namespace weaklearn::bind

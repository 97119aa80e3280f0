// Arrays that numpy makes and that are filled here: of short ones a tenth of the time in which
// memory changes hands.
#pragma once

#include <cstring>
#include <span>

#include "bind.hpp"

namespace weaklearn::bind {

// A new array of numpy from its bytes; `type` as numpy names it.
class FilledArrays {
 public:
  FilledArrays() : empty_(nb::module_::import_("numpy").attr("empty")) {}

  nb::object make(const char* type, std::span<const size_t> shape, const void* data,
                  size_t n_bytes) const {
    nb::object found;
    if (shape.size() == 1) {
      found = empty_(shape[0], type);
    } else {
      nb::list lengths;
      for (const size_t length : shape) lengths.append(length);
      found = empty_(lengths, type);
    }
    if (n_bytes > 0) fill(found, data, n_bytes);
    return found;
  }

 private:
  static void fill(const nb::object& array, const void* data, size_t n_bytes) {
    Py_buffer room;
    if (PyObject_GetBuffer(array.ptr(), &room, PyBUF_WRITABLE) != 0) throw nb::python_error();
    const bool fits = static_cast<size_t>(room.len) == n_bytes;
    if (fits) std::memcpy(room.buf, data, n_bytes);
    PyBuffer_Release(&room);
    if (!fits) throw std::invalid_argument("an array has not as many bytes as it is given");
  }

  nb::object empty_;
};

}  // namespace weaklearn::bind

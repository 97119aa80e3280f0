// Values of a model file that are no records, as Python's own: whatever else stands among them, and
// whatever is wrong, is left to the reader in Python, which says so.
#include <bit>
#include <cstdint>
#include <cstring>

#include "bind.hpp"

namespace weaklearn::bind {
namespace {

// Tags of values in a file; see src/weaklearn/files/value.py.
enum Tag : uint8_t {
  kNone,
  kFalse,
  kTrue,
  kInteger,
  kReal,
  kText,
  kBytes,
  kList,
  kTuple,
  kDict = 10
};

class Values {
 public:
  Values(nb::handle reader, const uint8_t* data, Py_ssize_t end)
      : reader_(reader), data_(data), end_(end) {
    at_ = nb::cast<Py_ssize_t>(reader_.attr("_at"));
    fuel_ = nb::cast<int64_t>(reader_.attr("_fuel"));
  }

  nb::object items(Py_ssize_t n, int depth) {
    nb::object found =
        nb::steal(PyList_New(0));  // it grows by what there is, not what is announced
    if (!found) throw nb::python_error();
    for (Py_ssize_t k = 0; k < n; ++k) {
      const nb::object item = value(depth);
      if (PyList_Append(found.ptr(), item.ptr()) != 0) throw nb::python_error();
    }
    return found;
  }

  nb::object pairs(Py_ssize_t n, int depth) {
    nb::object found = nb::steal(PyDict_New());
    if (!found) throw nb::python_error();
    for (Py_ssize_t k = 0; k < n; ++k) {
      const nb::object key = value(depth);
      const int twice = PyDict_Contains(found.ptr(), key.ptr());
      if (twice != 0) {
        PyErr_Clear();
        put_back();
        reader_.attr("_no_key")(key);
      }
      const nb::object item = value(depth);
      if (PyDict_SetItem(found.ptr(), key.ptr(), item.ptr()) != 0) throw nb::python_error();
    }
    return found;
  }

  // Tells the reader where it goes on.
  void put_back() {
    reader_.attr("_at") = at_;
    reader_.attr("_fuel") = fuel_;
  }

 private:
  nb::object value(int depth) {
    const Py_ssize_t begun = at_;
    const int64_t fuel = fuel_;
    if (depth <= kDeepest && fuel_ >= 2 && at_ < end_) {
      --fuel_;
      nb::object found = known(static_cast<Tag>(data_[at_++]), depth);
      if (found) return found;
    }
    at_ = begun;
    fuel_ = fuel;
    return other(depth);
  }

  // The value behind a tag; nothing where it is none of these, or not as it should be.
  nb::object known(Tag tag, int depth) {
    Py_ssize_t n;
    switch (tag) {
      case kNone:
        return nb::none();
      case kFalse:
        return nb::borrow(Py_False);
      case kTrue:
        return nb::borrow(Py_True);
      case kInteger:
        return count(n) && n <= 8 ? integer(n) : nb::object();
      case kReal:
        return end_ - at_ >= 8 ? real() : nb::object();
      case kText:
        return count(n) ? text(n) : nb::object();
      case kBytes:
        if (!count(n)) return {};
        at_ += n;
        return made(PyBytes_FromStringAndSize(bytes(at_ - n), n));
      case kList:
      case kTuple: {
        --fuel_;  // a container takes more than what is no container
        if (!count(n)) return {};
        const nb::object found = items(n, depth + 1);
        return tag == kList ? found : made(PyList_AsTuple(found.ptr()));
      }
      case kDict:
        --fuel_;
        if (!count(n) || 2 * n > end_ - at_) return {};
        return pairs(n, depth + 1);
      default:
        return {};
    }
  }

  // A count of at most so many items as there are bytes left.
  bool count(Py_ssize_t& n) {
    n = 0;
    for (int shift = 0; shift <= 28 && at_ < end_; shift += 7) {
      const uint8_t byte = data_[at_++];
      n |= Py_ssize_t{byte & 127} << shift;
      if (byte < 128) return (byte != 0 || shift == 0) && n <= end_ - at_;
    }
    return false;
  }

  nb::object integer(Py_ssize_t n) {
    if (n == 0) return {};
    uint64_t bits = 0;
    for (Py_ssize_t k = 0; k < n; ++k) bits |= uint64_t{data_[at_ + k]} << (8 * k);
    const auto unused = static_cast<unsigned>(64 - 8 * n);
    const int64_t x = static_cast<int64_t>(bits << unused) >> unused;
    const uint64_t size = x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
    if (n != (static_cast<Py_ssize_t>(std::bit_width(size)) + 8) / 8) return {};
    at_ += n;
    return made(PyLong_FromLongLong(x));
  }

  nb::object real() {
    uint64_t bits = 0;
    for (int k = 0; k < 8; ++k) bits |= uint64_t{data_[at_ + k]} << (8 * k);
    at_ += 8;
    return made(PyFloat_FromDouble(std::bit_cast<double>(bits)));
  }

  nb::object text(Py_ssize_t n) {
    for (Py_ssize_t k = 0; k < n; ++k)
      if (data_[at_ + k] == 0 || data_[at_ + k] > 127) return {};
    if (n > kLongText) return {};
    at_ += n;
    return made(PyUnicode_DecodeASCII(bytes(at_ - n), n, nullptr));
  }

  const char* bytes(Py_ssize_t at) const { return reinterpret_cast<const char*>(data_ + at); }

  static nb::object made(PyObject* object) {
    if (object == nullptr) throw nb::python_error();
    return nb::steal(object);
  }

  nb::object other(int depth) {
    put_back();
    nb::object found = reader_.attr("_value")(depth);
    at_ = nb::cast<Py_ssize_t>(reader_.attr("_at"));
    fuel_ = nb::cast<int64_t>(reader_.attr("_fuel"));
    return found;
  }

  static constexpr int kDeepest = 64;
  static constexpr Py_ssize_t kLongText = Py_ssize_t{1} << 16;  // longer ones are left to Python

  nb::handle reader_;
  const uint8_t* data_;
  Py_ssize_t end_, at_;
  int64_t fuel_;
};

using Data = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::object items(nb::handle reader, const Data& data, Py_ssize_t n, int depth) {
  Values values(reader, data.data(), static_cast<Py_ssize_t>(data.shape(0)));
  nb::object found = values.items(n, depth);
  values.put_back();
  return found;
}

nb::object pairs(nb::handle reader, const Data& data, Py_ssize_t n, int depth) {
  Values values(reader, data.data(), static_cast<Py_ssize_t>(data.shape(0)));
  nb::object found = values.pairs(n, depth);
  values.put_back();
  return found;
}

}  // namespace

void plain_values(nb::module_& m) {
  m.def("read_items", &items, nb::arg("reader"), nb::arg("data"), nb::arg("n"), nb::arg("depth"),
        nb::sig("def read_items(reader: object, data: memoryview, n: int, depth: int) -> list"),
        "So many values from where a reader of a model file stands.");
  m.def("read_pairs", &pairs, nb::arg("reader"), nb::arg("data"), nb::arg("n"), nb::arg("depth"),
        nb::sig("def read_pairs(reader: object, data: memoryview, n: int, depth: int) -> dict"),
        "A dict of so many keys and values from where a reader of a model file stands.");
}

}  // namespace weaklearn::bind

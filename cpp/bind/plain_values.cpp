// Values of a model file that are no records, as Python's own and numpy's: whatever else stands
// among them, and whatever is wrong, is left to the reader in Python, which says so.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "bind.hpp"
#include "filled_array.hpp"

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
  kSet,
  kDict,
  kArray,
  kPacked = 14
};

// What a packed sequence holds.
enum Body : uint8_t { kIntegers, kReals, kTexts };

// Types of arrays that are made here, by their numbers; see src/weaklearn/files/array.py.
struct ArrayType {
  const char* name;
  Py_ssize_t n_bytes;
};
constexpr std::array<ArrayType, 12> kTypes{{{nullptr, 0},
                                            {"i1", 1},
                                            {"i2", 2},
                                            {"i4", 4},
                                            {"i8", 8},
                                            {"u1", 1},
                                            {"u2", 2},
                                            {"u4", 4},
                                            {"u8", 8},
                                            {"f2", 2},
                                            {"f4", 4},
                                            {"f8", 8}}};
constexpr uint8_t kFirstUnsigned = 5, kFirstFloat = 9, kDouble = 11;

// The entries of an array in a file.
struct Block {
  uint8_t type = 0;
  size_t n_dimensions = 0;
  std::array<size_t, 4> shape{};
  const uint8_t* data = nullptr;

  Py_ssize_t n_bytes() const {
    size_t n = static_cast<size_t>(kTypes[type].n_bytes);
    for (size_t k = 0; k < n_dimensions; ++k) n *= shape[k];
    return static_cast<Py_ssize_t>(n);
  }
};

class Values {
 public:
  Values(nb::handle reader, nb::handle data) : reader_(reader) {
    if (PyObject_GetBuffer(data.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    data_ = static_cast<const uint8_t*>(buffer_.buf);
    end_ = buffer_.len;
    try {
      take_up();
    } catch (...) {
      PyBuffer_Release(&buffer_);
      throw;
    }
  }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  ~Values() { PyBuffer_Release(&buffer_); }

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

  // `check` is asked, unless it is None, about every key that is not among `names`.
  nb::object pairs(Py_ssize_t n, int depth, nb::handle names, nb::handle check) {
    nb::object found = nb::steal(PyDict_New());
    if (!found) throw nb::python_error();
    for (Py_ssize_t k = 0; k < n; ++k) {
      const nb::object key = value(depth);
      if (!check.is_none() && PySet_Contains(names.ptr(), key.ptr()) != 1) {
        PyErr_Clear();
        put_back();
        check(key);
      }
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

 private:
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
      case kTuple:
      case kSet: {
        --fuel_;  // a container takes more than what is no container
        if (!count(n)) return {};
        const nb::object found = items(n, depth + 1);
        if (tag == kSet) return set(found, n);
        return tag == kList ? found : made(PyList_AsTuple(found.ptr()));
      }
      case kDict:
        --fuel_;
        if (!count(n) || 2 * n > end_ - at_) return {};
        return pairs(n, depth + 1, nb::none(), nb::none());
      case kArray: {
        const std::optional<Block> found = block();
        if (!found) return {};
        if (!arrays_) arrays_.emplace();
        return arrays_->make(kTypes[found->type].name, {found->shape.data(), found->n_dimensions},
                             found->data, static_cast<size_t>(found->n_bytes()));
      }
      case kPacked:
        return packed();
      default:
        return {};
    }
  }

  // A set of so many different items; nothing where they are not.
  static nb::object set(const nb::object& items, Py_ssize_t n) {
    nb::object found = nb::steal(PyFrozenSet_New(items.ptr()));
    if (!found) PyErr_Clear();
    return found && PySet_Size(found.ptr()) == n ? found : nb::object();
  }

  // The entries of an array of numbers; nothing for other types, and for tables without entries.
  std::optional<Block> block() {
    if constexpr (std::endian::native != std::endian::little) return {};
    if (end_ - at_ < 4) return {};
    Block found;
    found.type = data_[at_];
    found.n_dimensions = data_[at_ + 2];
    if (found.type == 0 || found.type >= kTypes.size() || data_[at_ + 1] != 0) return {};
    if (found.n_dimensions == 0 || found.n_dimensions > found.shape.size()) return {};
    at_ += 3;
    Py_ssize_t size = kTypes[found.type].n_bytes;
    for (size_t k = 0; k < found.n_dimensions; ++k) {
      Py_ssize_t n;
      if (!count(n) || (n == 0 && found.n_dimensions > 1)) return {};
      if (n > 0 && size > (end_ - at_) / n) return {};
      size *= n;
      found.shape[k] = static_cast<size_t>(n);
    }
    found.data = data_ + at_;
    at_ += size;
    return found;
  }

  // A list or tuple of numbers alone, or of texts.
  nb::object packed() {
    if (end_ - at_ < 2) return {};
    const uint8_t tag = data_[at_], body = data_[at_ + 1];
    if ((tag != kList && tag != kTuple) || body > kTexts) return {};
    at_ += 2;
    const std::optional<Block> from = block();
    if (!from || from->n_dimensions != 1 || from->shape[0] == 0) return {};
    if (body == kReals ? from->type != kDouble : from->type >= kFirstFloat) return {};
    const auto n = static_cast<Py_ssize_t>(from->shape[0]);
    if (fuel_ < n / 3) return {};
    fuel_ -= n / 3;
    const nb::object found = nb::steal(PyList_New(0));
    if (!found) throw nb::python_error();
    for (Py_ssize_t k = 0; k < n; ++k) {
      const nb::object item = body == kTexts ? text_of(*from, k) : number_of(*from, k);
      if (!item) return {};
      if (PyList_Append(found.ptr(), item.ptr()) != 0) throw nb::python_error();
    }
    return tag == kList ? found : made(PyList_AsTuple(found.ptr()));
  }

  // An entry of a block as its bits, without their sign.
  static uint64_t bits_of(const Block& from, Py_ssize_t k) {
    uint64_t bits = 0;
    const Py_ssize_t size = kTypes[from.type].n_bytes;
    std::memcpy(&bits, from.data + k * size, static_cast<size_t>(size));
    return bits;
  }

  static nb::object number_of(const Block& from, Py_ssize_t k) {
    const uint64_t bits = bits_of(from, k);
    if (from.type == kDouble) return made(PyFloat_FromDouble(std::bit_cast<double>(bits)));
    if (from.type >= kFirstUnsigned) return made(PyLong_FromUnsignedLongLong(bits));
    const auto unused = static_cast<unsigned>(64 - 8 * kTypes[from.type].n_bytes);
    return made(PyLong_FromLongLong(static_cast<int64_t>(bits << unused) >> unused));
  }

  // The next text, whose length is an entry of a block.
  nb::object text_of(const Block& lengths, Py_ssize_t k) {
    const uint64_t n = bits_of(lengths, k);
    const bool below =
        lengths.type < kFirstUnsigned && (n >> (8 * kTypes[lengths.type].n_bytes - 1)) != 0;
    if (below) return {};
    return n <= static_cast<uint64_t>(end_ - at_) ? text(static_cast<Py_ssize_t>(n)) : nb::object();
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
    take_up();
    return found;
  }

  // Goes on where the reader stands.
  void take_up() {
    at_ = nb::cast<Py_ssize_t>(reader_.attr("_at"));
    fuel_ = nb::cast<int64_t>(reader_.attr("_fuel"));
  }

  static constexpr int kDeepest = 64;
  static constexpr Py_ssize_t kLongText = Py_ssize_t{1} << 16;  // longer ones are left to Python

  nb::handle reader_;
  Py_buffer buffer_;
  const uint8_t* data_;
  Py_ssize_t end_, at_;
  int64_t fuel_;
  std::optional<FilledArrays> arrays_;
};

nb::object value(nb::handle reader, nb::handle data, int depth) {
  Values values(reader, data);
  nb::object found = values.value(depth);
  values.put_back();
  return found;
}

nb::object items(nb::handle reader, nb::handle data, Py_ssize_t n, int depth) {
  Values values(reader, data);
  nb::object found = values.items(n, depth);
  values.put_back();
  return found;
}

nb::object pairs(nb::handle reader, nb::handle data, Py_ssize_t n, int depth, nb::handle names,
                 nb::handle check) {
  Values values(reader, data);
  nb::object found = values.pairs(n, depth, names, check);
  values.put_back();
  return found;
}

}  // namespace

void plain_values(nb::module_& m) {
  m.def("read_value", &value, nb::arg("reader"), nb::arg("data"), nb::arg("depth"),
        nb::sig("def read_value(reader: object, data: memoryview, depth: int) -> object"),
        "The value where a reader of a model file stands.");
  m.def("read_items", &items, nb::arg("reader"), nb::arg("data"), nb::arg("n"), nb::arg("depth"),
        nb::sig("def read_items(reader: object, data: memoryview, n: int, depth: int) -> list"),
        "So many values from where a reader of a model file stands.");
  m.def("read_pairs", &pairs, nb::arg("reader"), nb::arg("data"), nb::arg("n"), nb::arg("depth"),
        nb::arg("names").none(), nb::arg("check").none(),
        nb::sig("def read_pairs(reader: object, data: memoryview, n: int, depth: int, "
                "names: set[str] | None, check: object) -> dict"),
        "A dict of so many keys and values from where a reader of a model file stands; `check` is "
        "asked about keys that are not among the names.");
}

}  // namespace weaklearn::bind

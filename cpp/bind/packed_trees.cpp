#include "weaklearn/files/packed_trees.hpp"

#include <optional>

#include "bind.hpp"
#include "filled_array.hpp"

namespace weaklearn::bind {
namespace {

using files::AskedTest;
using files::PackedTrees;
using files::TreeBatch;
using files::TreeProof;

// The name of a type in numpy.
template <class T>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<uint8_t> = "u1";
template <>
constexpr const char* kName<int32_t> = "i4";
template <>
constexpr const char* kName<int64_t> = "i8";
template <>
constexpr const char* kName<uint64_t> = "u8";
template <>
constexpr const char* kName<double> = "f8";

// Gives what vectors hold to Python: short ones are copied, long ones change hands.
class Giver {
 public:
  template <class T>
  nb::object operator()(std::vector<T>&& from, std::initializer_list<size_t> shape) const {
    if (from.size() * sizeof(T) <= kShort)
      return filled_.make(kName<T>, {shape.begin(), shape.size()}, from.data(),
                          from.size() * sizeof(T));
    auto owned = std::make_unique<std::vector<T>>(std::move(from));
    T* data = owned->data();
    nb::capsule owner(owned.get(),
                      [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    owned.release();
    return nb::cast(Out<T>(data, shape, owner));
  }

  template <class T>
  nb::object operator()(std::vector<T>&& from) const {
    const size_t n = from.size();
    return (*this)(std::move(from), {n});
  }

 private:
  static constexpr size_t kShort = 4096;

  FilledArrays filled_;
};

// The columns of trees by name, and how many nodes, sets and rows each has.
nb::dict arrays_of(TreeBatch& trees, const Giver& given) {
  const size_t n_sets = trees.subsets.size() / 4, n_rows = trees.values.size() / trees.n_outputs;
  nb::dict columns, found;
  columns["ask"] = given(std::move(trees.ask));
  columns["feature"] = given(std::move(trees.feature));
  columns["threshold"] = given(std::move(trees.threshold));
  columns["first"] = given(std::move(trees.first));
  columns["width"] = given(std::move(trees.width));
  columns["missing"] = given(std::move(trees.missing));
  columns["subset"] = given(std::move(trees.subset));
  columns["value"] = given(std::move(trees.value));
  columns["weight"] = given(std::move(trees.weight));
  columns["count"] = given(std::move(trees.count));
  columns["gain"] = given(std::move(trees.gain));
  columns["subsets"] = given(std::move(trees.subsets), {n_sets, 4});
  columns["values"] = given(std::move(trees.values), {n_rows, trees.n_outputs});
  found["columns"] = columns;
  found["length"] = given(std::move(trees.length));
  found["sets"] = given(std::move(trees.sets));
  found["rows"] = given(std::move(trees.rows));
  return found;
}

// What was found out about trees, by name.
nb::dict facts_of(TreeProof& proof, const Giver& given) {
  const std::vector<AskedTest>& tests = proof.tests.all();
  const auto column = [&](auto entry) {
    std::vector<decltype(entry(tests[0]))> found;
    for (const AskedTest& test : tests) found.push_back(entry(test));
    return given(std::move(found));
  };
  nb::dict found;
  found["feature"] = column([](const AskedTest& t) { return int64_t{t.feature}; });
  found["ask"] = column([](const AskedTest& t) { return t.ask; });
  found["width"] = column([](const AskedTest& t) { return int64_t{t.width}; });
  found["missing"] = column([](const AskedTest& t) { return int64_t{t.missing}; });
  found["low"] = column([](const AskedTest& t) { return t.low; });
  found["high"] = column([](const AskedTest& t) { return t.high; });
  found["reach"] = given(std::move(proof.reach));
  found["shares"] = given(std::move(proof.shares));
  return found;
}

// Trees and the bytes that they lie in; where they are one batch, it is kept until it is asked for.
struct InBytes {
  explicit InBytes(nb::bytes from) : data(std::move(from)) {
    const auto* bytes = static_cast<const uint8_t*>(data.data());
    const size_t n = data.size();
    without_gil([&] { trees = std::make_unique<PackedTrees>(bytes, n); });
  }

  // The batch that is kept, which is so no more.
  std::unique_ptr<TreeBatch> taken() {
    const nb::ft_lock_guard guard(lock);
    return std::move(only);
  }

  nb::bytes data;
  std::unique_ptr<PackedTrees> trees;
  std::unique_ptr<TreeBatch> only;
  nb::ft_mutex lock;
};

nb::dict proved(InBytes& in) {
  auto only = std::make_unique<TreeBatch>();
  std::optional<TreeProof> proof;
  without_gil([&] { proof = in.trees->proved(*only); });
  if (in.trees->stops().size() == 1) {
    const nb::ft_lock_guard guard(in.lock);
    in.only = std::move(only);
  }
  return facts_of(*proof, Giver());
}

size_t kept(InBytes& in) {
  const nb::ft_lock_guard guard(in.lock);
  return in.only ? in.only->n_bytes() : 0;
}

nb::dict batch(InBytes& in, size_t k) {
  std::unique_ptr<TreeBatch> found = in.taken();
  if (!found) {
    found = std::make_unique<TreeBatch>();
    without_gil([&] { *found = in.trees->batch(k); });
  }
  return arrays_of(*found, Giver());
}

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::dict prove(const Vector<uint8_t>& ask, const Vector<int32_t>& feature,
               const Vector<double>& threshold, const Vector<int32_t>& first,
               const Vector<int32_t>& width, const Vector<int32_t>& missing,
               const Vector<int32_t>& value, const Vector<double>& weight,
               const Vector<int64_t>& count, const Vector<double>& gain, const Values& values,
               const Vector<int64_t>& length, const Vector<int64_t>& rows) {
  const size_t n = ask.shape(0);
  for (const size_t found :
       {feature.shape(0), threshold.shape(0), first.shape(0), width.shape(0), missing.shape(0),
        value.shape(0), weight.shape(0), count.shape(0), gain.shape(0)})
    expect(found, n, "a column");
  expect(rows.shape(0), length.shape(0), "the rows of trees");
  TreeProof proof;
  without_gil([&] {
    proof.add({ask.data(), feature.data(), threshold.data(), first.data(), width.data(),
               missing.data(), value.data(), weight.data(), count.data(), gain.data(),
               values.data(), length.data(), rows.data(), length.shape(0), n, values.shape(0),
               values.shape(1)});
  });
  return facts_of(proof, Giver());
}

}  // namespace

void packed_trees(nb::module_& m) {
  nb::exception<files::Unsound>(m, "Unsound", PyExc_ValueError);
  nb::class_<InBytes>(m, "PackedTrees", "Trees of a compressed stream, decoded by batches.")
      .def(nb::init<nb::bytes>(), nb::arg("data"))
      .def(
          "length",
          [](const InBytes& in) {
            return array_of(in.trees->length(), {in.trees->length().size()});
          },
          "The number of nodes of each tree.")
      .def_prop_ro(
          "stops",
          [](const InBytes& in) {
            nb::list found;
            for (const size_t stop : in.trees->stops()) found.append(stop);
            return found;
          },
          nb::sig("def stops(self) -> list[int]"), "The trees at which batches end.")
      .def_prop_ro("n_outputs", [](const InBytes& in) { return in.trees->n_outputs(); })
      .def("proved", &proved,
           "What is known of the trees, which are refused unless sound; keeps an only batch.")
      .def("kept", &kept, "The bytes that a batch takes which is kept; 0 where none is.")
      .def(
          "forget", [](InBytes& in) { in.taken(); }, "Keeps no batch.")
      .def("batch", &batch, nb::arg("k"), "The columns of a batch, once all are proved.");
  m.def("prove_trees", &prove, nb::arg("ask").noconvert(), nb::arg("feature").noconvert(),
        nb::arg("threshold").noconvert(), nb::arg("first").noconvert(),
        nb::arg("width").noconvert(), nb::arg("missing").noconvert(), nb::arg("value").noconvert(),
        nb::arg("weight").noconvert(), nb::arg("count").noconvert(), nb::arg("gain").noconvert(),
        nb::arg("values").noconvert(), nb::arg("length").noconvert(), nb::arg("rows").noconvert(),
        "What is known of trees, whose columns are joined; they are refused unless sound.");
}

}  // namespace weaklearn::bind

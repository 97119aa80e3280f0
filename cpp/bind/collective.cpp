#include "weaklearn/partitions/collective.hpp"

#include "bind.hpp"

namespace weaklearn::bind {
namespace {

// A collective whose operations are methods of a Python object, on arrays.
class PythonCollective final : public Collective {
 public:
  explicit PythonCollective(nb::object python) : python_(std::move(python)) {}
  void sum(int64_t* x, size_t n) const override { ask("sum", x, n); }
  void sum(int32_t* x, size_t n) const override { ask("sum", x, n); }
  void maximum(int64_t* x, size_t n) const override { ask("maximum", x, n); }
  void maximum(double* x, size_t n) const override { ask("maximum", x, n); }
  std::vector<std::vector<int64_t>> gather(const int64_t* x, size_t n) const override {
    const nb::gil_scoped_acquire acquire;
    const nb::sequence found = nb::cast<nb::sequence>(python_.attr("gather")(copy_of(x, n)));
    std::vector<std::vector<int64_t>> lists;
    for (const nb::handle each : found) {
      const auto list = nb::cast<Vector<int64_t>>(each);
      lists.emplace_back(list.data(), list.data() + list.shape(0));
    }
    return lists;
  }

 private:
  template <class T>
  static Out<T> copy_of(const T* x, size_t n) {
    auto own = std::make_unique_for_overwrite<T[]>(n);
    std::copy_n(x, n, own.get());
    return give(std::move(own), {n});
  }
  template <class T>
  void ask(const char* operation, T* x, size_t n) const {
    const nb::gil_scoped_acquire acquire;
    const auto found = nb::cast<Vector<T>>(python_.attr(operation)(copy_of(x, n)));
    expect(found.shape(0), n, operation);
    std::copy_n(found.data(), n, x);
  }

  nb::object python_;
};

}  // namespace

void collective(nb::module_& m) {
  nb::class_<Collective>(m, "AnyCollective",
                         "Sums, maxima and lists over all partitions of the rows.");
  nb::class_<PythonCollective, Collective>(m, "Collective",
                                           "The same, by the methods of a Python object.")
      .def(nb::init<nb::object>(), nb::arg("python"))
      .def(
          "sum",
          [](const PythonCollective& self, const Vector<int64_t>& x) {
            auto own = std::make_unique_for_overwrite<int64_t[]>(x.shape(0));
            std::copy_n(x.data(), x.shape(0), own.get());
            without_gil([&] { self.sum(own.get(), x.shape(0)); });
            return give(std::move(own), {x.shape(0)});
          },
          nb::arg("x"), "The sums, as a kernel gets them.")
      .def(
          "gather",
          [](const PythonCollective& self, const Vector<int64_t>& x) {
            std::vector<std::vector<int64_t>> lists;
            without_gil([&] { lists = self.gather(x.data(), x.shape(0)); });
            nb::list out;
            for (const auto& list : lists) out.append(array_of(list, {list.size()}));
            return out;
          },
          nb::arg("x"), "The lists of all partitions, as a kernel gets them.");
}

}  // namespace weaklearn::bind

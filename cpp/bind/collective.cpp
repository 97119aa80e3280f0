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

 private:
  template <class T>
  void ask(const char* operation, T* x, size_t n) const {
    const nb::gil_scoped_acquire acquire;
    auto own = std::make_unique_for_overwrite<T[]>(n);
    std::copy_n(x, n, own.get());
    const auto found = nb::cast<Vector<T>>(python_.attr(operation)(give(std::move(own), {n})));
    expect(found.shape(0), n, operation);
    std::copy_n(found.data(), n, x);
  }

  nb::object python_;
};

}  // namespace

void collective(nb::module_& m) {
  nb::class_<Collective>(m, "AnyCollective", "Sums and maxima over all partitions of the rows.");
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
          nb::arg("x"), "The sums, as a kernel gets them.");
}

}  // namespace weaklearn::bind

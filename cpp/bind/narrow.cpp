#include "weaklearn/partitions/narrow.hpp"

#include <vector>

#include "bind.hpp"

namespace weaklearn::bind {
namespace {

// Writes numbers by write(room), which says how many bytes they take, into an array of as many.
template <class Write>
Out<uint8_t> written(size_t n_numbers, const Write& write) {
  const auto room = std::make_unique_for_overwrite<uint8_t[]>(narrow::room_for(n_numbers));
  std::unique_ptr<uint8_t[]> bytes;
  size_t n = 0;
  without_gil([&] {
    n = write(room.get());
    bytes = std::make_unique_for_overwrite<uint8_t[]>(n);
    std::copy_n(room.get(), n, bytes.get());
  });
  return give(std::move(bytes), {n});
}

Out<uint8_t> narrowed(const Vector<int64_t>& x) {
  return written(x.shape(0),
                 [&](uint8_t* room) { return narrow::write(x.data(), x.shape(0), room); });
}

Out<int64_t> widened(const Vector<uint8_t>& bytes) {
  narrow::Reader reader({bytes.data(), bytes.shape(0)});
  const size_t n = reader.size();
  auto x = std::make_unique_for_overwrite<int64_t[]>(n);
  without_gil([&] {
    for (size_t k = 0; k < n; k += narrow::kBlock)
      reader.block(std::min(narrow::kBlock, n - k), x.get() + k);
  });
  return give(std::move(x), {n});
}

Out<uint8_t> sums_of_narrowed(const nb::sequence& lists) {
  std::vector<Vector<uint8_t>> kept;  // the arrays live while they are read
  std::vector<narrow::Reader> readers;
  for (const nb::handle each : lists) {
    kept.push_back(nb::cast<Vector<uint8_t>>(each));
    readers.emplace_back(std::span(kept.back().data(), kept.back().shape(0)));
  }
  if (readers.empty()) throw std::invalid_argument("there is nothing to sum");
  return written(readers[0].size(),
                 [&](uint8_t* room) { return narrow::write_sums(readers, room); });
}

}  // namespace

void narrow_numbers(nb::module_& m) {
  m.def("narrowed", &narrowed, nb::arg("x").noconvert(),
        "Whole numbers in as few bytes as they need.");
  m.def("widened", &widened, nb::arg("bytes").noconvert(), "What `narrowed` was given.");
  m.def("sums_of_narrowed", &sums_of_narrowed, nb::arg("lists"),
        "The sums of lists of as many numbers, entry by entry, all of them narrowed.");
}

}  // namespace weaklearn::bind

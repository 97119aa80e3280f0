// Numbers in as few bytes as they need: back as they were, added as whole numbers, and refused
// where bytes are missing.
#include <limits>
#include <stdexcept>

#include "check.hpp"
#include "weaklearn/partitions/narrow.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

using Numbers = std::vector<int64_t>;
using Bytes = std::vector<uint8_t>;

Bytes written(const Numbers& x) {
  Bytes bytes(narrow::room_for(x.size()));
  bytes.resize(narrow::write(x.data(), x.size(), bytes.data()));
  return bytes;
}

Numbers read(const Bytes& bytes) {
  narrow::Reader reader(bytes);
  Numbers x(reader.size());
  for (size_t k = 0; k < x.size(); k += narrow::kBlock)
    reader.block(std::min(narrow::kBlock, x.size() - k), x.data() + k);
  return x;
}

Numbers draw(Random& random, size_t n) {
  Numbers x(n);
  int bits = 0;
  for (size_t k = 0; k < n; ++k) {
    if (k % 40 == 0) bits = static_cast<int>(random.next() % 65);
    const uint64_t any = bits == 0 ? 0 : random.next() >> (64 - bits);
    x[k] = random.next() % 2 == 0 ? static_cast<int64_t>(any) : static_cast<int64_t>(~any);
  }
  return x;
}

bool is_refused(const Bytes& bytes) {
  try {
    read(bytes);
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  Random random(1);
  for (const size_t n : {0, 1, 63, 64, 65, 1000, 4096}) {
    const Numbers x = draw(random, n), y = draw(random, n);
    CHECK(read(written(x)) == x);
    const Bytes one = written(x), other = written(y);
    std::vector<narrow::Reader> lists{narrow::Reader(one), narrow::Reader(other)};
    Bytes sums(narrow::room_for(n));
    sums.resize(narrow::write_sums(lists, sums.data()));
    Numbers right(n);
    for (size_t k = 0; k < n; ++k)
      right[k] = static_cast<int64_t>(static_cast<uint64_t>(x[k]) + static_cast<uint64_t>(y[k]));
    CHECK(read(sums) == right);
    for (size_t kept = 0; kept < one.size() && n <= 65; ++kept)
      CHECK(is_refused(Bytes(one.begin(), one.begin() + static_cast<ptrdiff_t>(kept))));
  }
  for (int bits = 0; bits < 64; ++bits)
    for (const int64_t sign : {-1, 1})
      for (const int64_t beside : {-1, 0, 1}) {
        const auto power = static_cast<int64_t>(uint64_t{1} << bits);
        const Numbers x{
            static_cast<int64_t>(static_cast<uint64_t>(power) * static_cast<uint64_t>(sign) +
                                 static_cast<uint64_t>(beside))};
        CHECK(read(written(x)) == x);
      }
  CHECK(written(Numbers(64, -128)).size() == 8 + 1 + 64);
  CHECK(written(Numbers(64, 0)).size() == 8 + 1);
  Bytes wide = written(Numbers(3, 5));
  wide[8] = 9;  // no number takes nine bytes
  CHECK(is_refused(wide));
  Bytes many = written(Numbers(3, 5));
  many[7] = 0x7f;  // more numbers than there are bytes
  CHECK(is_refused(many));
}

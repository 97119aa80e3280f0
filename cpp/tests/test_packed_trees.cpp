// Packed trees: what a stream holds by hand, and bytes that nobody wrote, of which none may be read
// beyond their end: run these under a sanitizer.
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "check.hpp"
#include "weaklearn/files/packed_trees.hpp"

using namespace weaklearn::files;
using namespace weaklearn::testing;

namespace {

// Writes what PackedStream reads, in the simplest form that there is.
class Packer {
 public:
  std::vector<uint8_t> bytes;

  Packer& number(uint64_t n) {
    for (; n > 127; n >>= 7) bytes.push_back(static_cast<uint8_t>(n & 127) | 128);
    bytes.push_back(static_cast<uint8_t>(n));
    return *this;
  }

  Packer& words(const std::vector<uint64_t>& words) {
    number(words.size());
    if (words.empty()) return *this;
    unsigned width = 0;
    for (const uint64_t word : words) width = std::max<unsigned>(width, std::bit_width(word));
    number(0).number(0).number(width);
    std::vector<uint8_t> body((words.size() * width + 7) / 8);
    for (size_t i = 0; i < words.size() * width; ++i)
      body[i / 8] |= static_cast<uint8_t>((words[i / width] >> (i % width) & 1) << (i % 8));
    bytes.insert(bytes.end(), body.begin(), body.end());
    return *this;
  }

  Packer& listed(uint64_t low, const std::vector<uint64_t>& steps,
                 const std::vector<uint64_t>& places) {
    return number(places.size()).number(1).number(low).words(steps).words(places);
  }

  Packer& integers(const std::vector<int64_t>& numbers) {
    int64_t low = 0;
    for (const int64_t n : numbers) low = std::min(low, n);
    std::vector<uint64_t> above;
    for (const int64_t n : numbers) above.push_back(static_cast<uint64_t>(n - low));
    return number(low < 0 ? static_cast<uint64_t>(-low) * 2 - 1 : 0).words(above);
  }

  Packer& doubles(const std::vector<double>& numbers) {
    std::vector<uint64_t> found;
    for (const double x : numbers) {
      const auto bits = std::bit_cast<uint64_t>(x);
      found.push_back(bits << 1 | bits >> 63);
    }
    return number(0).words(found);
  }

  // As many doubles as guessed.
  Packer& as_guessed(size_t n) {
    return number(1).integers({}).words({}).words(std::vector<uint64_t>(n, 0));
  }

  PackedStream stream(uint64_t entries = 1000) const {
    return {bytes.data(), bytes.size(), entries};
  }
};

template <class Refusal, class Read>
bool refuses(Read&& read) {
  try {
    read();
  } catch (const Refusal&) {
    return true;
  }
  return false;
}

void numbers_by_hand() {
  Packer packer;
  packer.number(0).number(300).number(UINT64_MAX).integers({-3, 4, 0}).doubles({0.5, -2.0});
  packer.number(0).listed(7, {1, 5}, {2, 0, 1, 1});  // integers of a list: 7, 8 and 13
  PackedStream stream = packer.stream();
  CHECK(stream.number() == 0 && stream.number() == 300 && stream.number() == UINT64_MAX);
  CHECK(stream.integers().read() == (std::vector<int64_t>{-3, 4, 0}));
  CHECK(stream.doubles().read() == (std::vector<double>{0.5, -2.0}));
  const Integers listed = stream.integers();
  CHECK(listed.read() == (std::vector<int64_t>{13, 7, 8, 8}));
  CHECK(listed.read(1, 3) == (std::vector<int64_t>{7, 8}));
  stream.end();
}

// Words of every width begin at every bit, and the last of them ends with the bytes.
void words_of_every_width() {
  Random random(3);
  for (unsigned width = 1; width <= 64; ++width)
    for (size_t n = 1; n <= 17; ++n) {
      std::vector<uint64_t> words(n);
      for (uint64_t& word : words) word = random.next() >> (64 - width);
      words[0] |= uint64_t{1} << (width - 1);
      Packer packer;
      packer.number(0).words(words);
      const std::vector<uint8_t> exact(packer.bytes);  // nothing behind its end
      PackedStream stream(exact.data(), exact.size(), n);
      size_t i = 0;
      stream.integers().each(0, n,
                             [&](int64_t x) { CHECK(static_cast<uint64_t>(x) == words[i++]); });
      CHECK(i == n);
      stream.end();
    }
}

void hostile_numbers() {
  const auto read = [](std::initializer_list<uint8_t> bytes, auto&& what) {
    const std::vector<uint8_t> exact(bytes);
    return refuses<Damaged>([&] {
      PackedStream stream(exact.data(), exact.size(), 1000);
      what(stream);
    });
  };
  const auto number = [](PackedStream& s) { s.number(); };
  const auto integers = [](PackedStream& s) { s.integers().read(); };
  CHECK(read({}, number));
  CHECK(read({128}, number));                                             // goes on, and does not
  CHECK(read({255, 255, 255, 255, 255, 255, 255, 255, 255, 2}, number));  // 65 bits
  CHECK(read({255, 255, 255, 255, 255, 255, 255, 255, 255, 129, 0}, number));  // 11 bytes
  CHECK(read({0, 3, 0, 0, 8, 1, 2}, integers));                                // two bytes of three
  CHECK(read({0, 3, 0, 0, 65, 1, 2}, integers));                               // words of 65 bits
  CHECK(read({0, 233, 7, 0, 0, 0}, integers));         // 1001 of 1000 numbers
  CHECK(read({0, 1, 2, 0, 0}, integers));              // there is no form 2
  CHECK(read({0, 1, 1, 0, 0, 1, 0, 1, 0}, integers));  // a place in no list
  CHECK(read({0, 1, 1, 0, 0, 2, 0, 0, 0}, integers));  // more places than numbers
  CHECK(read({0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0}, integers));  // lists of lists
  CHECK(read({64}, [](PackedStream& s) { s.doubles(); }));                  // all bits are zeros
  CHECK(read({1, 0, 1, 0, 5, 0, 1, 0, 0, 0, 1, 0, 0, 0},  // far away, behind the last
             [](PackedStream& s) { s.guessed(); }));
  CHECK(read({1}, [](PackedStream& s) { s.end(); }));
  CHECK(read({1}, [](PackedStream& s) { s.room(501, 2); }));
  CHECK(read({1}, [](PackedStream& s) { s.room(1, UINT64_MAX); }));
}

// A tree that asks whether its first column is at most 0.5: 2 examples answer 1, 3 answer 6.
Packer one_split(int64_t feature = 0, int64_t mark = 1, uint64_t outputs = 1) {
  Packer packer;
  packer.number(1).number(1).integers({3});                    // one tree, packed
  packer.number(1).integers({mark, 0, 0});                     // depth first
  packer.integers({1}).integers({feature});                    // thresholds
  packer.number(0).doubles({0.5}).integers({0}).integers({});  // cuts, missing, subset
  packer.integers({0}).integers({}).integers({}).integers({}).integers({});  // sets
  packer.number(0).number(1).integers({2, 3});                               // counts add up
  packer.number(1).doubles({1.0}).as_guessed(3);                             // and are the weights
  packer.number(1).integers({0, 0, 0}).integers({});                         // a value a node
  packer.number(outputs).doubles({1.0, 6.0}).as_guessed(1);
  packer.as_guessed(1);  // gains
  return packer;
}

void a_tree_by_hand() {
  const Packer packer = one_split();
  PackedTrees trees(packer.bytes.data(), packer.bytes.size());
  TreeBatch only;
  TreeProof proof = trees.proved(only);
  CHECK(only.ask == (std::vector<uint8_t>{1, 0, 0}) && only.first[0] == 1 && only.width[0] == 2);
  CHECK(only.threshold[0] == 0.5 && only.feature == (std::vector<int32_t>{0, -1, -1}));
  CHECK(only.count == (std::vector<int64_t>{5, 2, 3}));
  CHECK(only.weight == (std::vector<double>{5, 2, 3}));
  CHECK(only.values == (std::vector<double>{4, 1, 6}));  // (2 * 1 + 3 * 6) / 5
  CHECK(only.gain[0] == 2 * 9.0 + 3 * 4.0);
  CHECK(proof.reach == std::vector<double>{6} && proof.shares == std::vector<uint8_t>{0});
  const std::vector<AskedTest>& tests = proof.tests.all();
  CHECK(tests.size() == 1 && tests[0].feature == 0 && tests[0].low == 0.5 && tests[0].high == 0.5);
  CHECK(trees.batch(0).values == only.values);
}

bool opened(const std::vector<uint8_t>& bytes) {
  PackedTrees trees(bytes.data(), bytes.size());
  TreeBatch only;
  TreeProof proof = trees.proved(only);
  for (size_t k = 0; k < trees.stops().size(); ++k) trees.batch(k);
  const size_t n = trees.length().size();
  return proof.reach.size() == n && proof.shares.size() == n;
}

void wrong_trees() {
  CHECK(opened(one_split().bytes));
  CHECK(refuses<Unsound>([] { opened(one_split(-1).bytes); }));
  CHECK(refuses<Damaged>([] { opened(one_split(int64_t{1} << 31).bytes); }));
  CHECK(refuses<Damaged>([] { opened(one_split(0, 0).bytes); }));
  CHECK(refuses<Damaged>([] { opened(one_split(0, 2).bytes); }));
  CHECK(refuses<Damaged>([] { opened(one_split(0, 1, 0).bytes); }));
  CHECK(refuses<Damaged>([] { opened(one_split(0, 1, 2).bytes); }));
  CHECK(refuses<Damaged>([] { opened(one_split(0, 1, UINT64_MAX).bytes); }));
  std::vector<uint8_t> longer = one_split().bytes;
  longer.push_back(0);
  CHECK(refuses<Damaged>([&] { opened(longer); }));
  for (size_t n = 0; n < longer.size() - 1; ++n)
    CHECK(refuses<Damaged>([&] { opened({longer.begin(), longer.begin() + ptrdiff_t(n)}); }));
}

// Trees of three kinds of tests that name their children, with shared rows of two outputs.
Packer many_trees(Random& random) {
  constexpr size_t kTrees = 9, kInner = 40;
  Packer packer;
  std::vector<int64_t> length, marks, first, width, ask, feature, missing, sets, words, value;
  std::vector<double> cuts, weight;
  for (size_t t = 0; t < kTrees; ++t) {
    int64_t n = 1;
    size_t n_inner = 0;
    sets.push_back(0);
    for (int64_t node = 0; node < n; ++node) {
      const bool inner = n_inner < kInner && (node == 0 || random.chance(0.7));
      marks.push_back(inner);
      value.push_back(static_cast<int64_t>(random.below(7)));
      if (!inner) {
        weight.push_back(static_cast<double>(1 + random.below(9)) / 4);
        continue;
      }
      ++n_inner;
      ask.push_back(static_cast<int64_t>(1 + random.below(3)));
      feature.push_back(static_cast<int64_t>(random.below(4)));
      missing.push_back(static_cast<int64_t>(random.below(3)) - 1);
      first.push_back(n - node);
      width.push_back(static_cast<int64_t>(2 + random.below(3)));
      n += width.back();
      if (ask.back() == 1) cuts.push_back(random.uniform());
      if (ask.back() == 2) ++sets.back();
    }
    length.push_back(n);
    for (int64_t s = 0; s < sets.back(); ++s) words.push_back(static_cast<int64_t>(random.next()));
  }
  const size_t n_tests = ask.size(), n_sets = words.size();
  packer.number(kTrees).number(1).integers(length).number(0).integers(marks);
  packer.integers(first).integers(width).integers(ask).integers(feature).number(0).doubles(cuts);
  packer.integers(missing).integers(std::vector<int64_t>(n_sets, 0)).integers(sets);
  for (int w = 0; w < 4; ++w) packer.number(0).words({words.begin(), words.end()});
  packer.number(0).number(0).integers(std::vector<int64_t>(marks.size(), 3));
  packer.number(0).doubles(weight).as_guessed(n_tests);
  // All rows are those of leaves: 7 a tree, if every one of them is some leaf's.
  packer.number(0).integers(value).integers(std::vector<int64_t>(kTrees, 7)).number(2);
  packer.doubles(std::vector<double>(kTrees * 7 * 2, 0.5)).as_guessed(0);
  packer.as_guessed(n_tests);
  return packer;
}

// Bytes changed here and there are refused, or read to the end: no other answer, and no crash.
void mutated_bytes() {
  Random random(11);
  size_t sound = 0, refused = 0;
  for (int k = 0; k < 12000; ++k) {
    std::vector<uint8_t> bytes = k % 3 ? many_trees(random).bytes : one_split().bytes;
    if (k % 16 != 1)
      for (size_t n = 1 + random.below(3); n-- > 0;) {
        const size_t at = random.below(bytes.size());
        switch (random.below(4)) {
          case 0:
            bytes[at] = static_cast<uint8_t>(random.next());
            break;
          case 1:
            bytes[at] ^= static_cast<uint8_t>(1 << random.below(8));
            break;
          case 2:
            bytes.erase(bytes.begin() + ptrdiff_t(at));
            break;
          default:
            bytes.insert(bytes.begin() + ptrdiff_t(at), static_cast<uint8_t>(random.next()));
        }
      }
    bytes.shrink_to_fit();
    try {
      CHECK(opened(bytes));
      ++sound;
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  CHECK(sound > 100 && refused > 1000);
}

}  // namespace

int main() {
  numbers_by_hand();
  words_of_every_width();
  hostile_numbers();
  a_tree_by_hand();
  wrong_trees();
  mutated_bytes();
}

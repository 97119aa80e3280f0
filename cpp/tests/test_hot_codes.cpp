// Codes of numbers and small trees over them: every variant agrees with the definitions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "variants.hpp"
#include "weaklearn/predict/codes.hpp"

using namespace weaklearn;
using namespace weaklearn::testing;

namespace {

// Cuts in the order of a search, with room for 31 more.
template <class Real>
std::vector<Real> searched(const std::vector<Real>& sorted, int steps) {
  std::vector<Real> cuts;
  for (int step = 0; step < steps; ++step)
    for (size_t k = 0, half = size_t{1} << (steps - step - 1); k < size_t{1} << step; ++k)
      cuts.push_back(sorted[(2 * k + 1) * half - 1]);
  cuts.resize(cuts.size() + 31);
  return cuts;
}

template <class Real, class Code, class Loop>
void agrees(const std::vector<Real>& x, const std::vector<Real>& sorted, const Loop& loop) {
  std::vector<Code> low(x.size()), high(x.size()), alone(x.size());
  loop(x.data(), x.size(), low.data(), high.data());
  loop(x.data(), x.size(), alone.data(), static_cast<Code*>(nullptr));
  for (size_t i = 0; i < x.size(); ++i) {
    const auto below = std::isnan(x[i])
                           ? 0
                           : std::lower_bound(sorted.begin(), sorted.end(), x[i]) - sorted.begin();
    CHECK(low[i] == below && alone[i] == below);
    CHECK(high[i] == (std::isnan(x[i]) ? static_cast<Code>(-1) : below));
  }
}

template <class Real>
void codes_of() {
  Random random(51);
  for (int steps = 1; steps <= 9; ++steps)
    for (const size_t n : kSizes) {
      std::set<float> drawn;  // different as singles too
      while (drawn.size() < (size_t{1} << steps) - 1)
        drawn.insert(static_cast<float>(random.uniform() * 10 - 5));
      std::vector<Real> sorted(drawn.begin(), drawn.end()), x;
      for (Real& cut : sorted)  // doubles beside the singles that they are rounded to
        if (random.chance(0.5)) cut = std::nextafter(cut, Real{100});
      while (x.size() < n) {
        const Real cut = sorted[random.below(sorted.size())];
        const Real choices[] = {cut,
                                std::nextafter(cut, Real{100}),
                                std::nextafter(cut, Real{-100}),
                                static_cast<Real>(kMissing),
                                static_cast<Real>(random.uniform() * 12 - 6),
                                static_cast<Real>(random.sign()) * static_cast<Real>(INFINITY)};
        x.push_back(choices[random.below(6)]);
      }
      const std::vector<Real> cuts = searched(sorted, steps);
      const std::vector<float> near(cuts.begin(), cuts.end());
      for (const Hot* hot : variants())
        for (const float* singles : {near.data(), static_cast<const float*>(nullptr)}) {
          const auto narrow = [&](const Real* from, size_t m, uint8_t* low, uint8_t* high) {
            if constexpr (sizeof(Real) == 4)
              hot->codes_f32(from, m, cuts.data(), steps, low, high);
            else
              hot->codes(from, m, cuts.data(), singles, steps, low, high);
          };
          const auto wide = [&](const Real* from, size_t m, uint16_t* low, uint16_t* high) {
            if constexpr (sizeof(Real) == 4)
              hot->wide_codes_f32(from, m, cuts.data(), steps, low, high);
            else
              hot->wide_codes(from, m, cuts.data(), singles, steps, low, high);
          };
          if (steps <= 8) agrees<Real, uint8_t>(x, sorted, narrow);
          agrees<Real, uint16_t>(x, sorted, wide);
        }
    }
}

void choices() {
  Random random(52);
  constexpr size_t n_columns = 5, n_slots = 12, n_choices = 40;
  const AlignedBytes codes(n_columns * kTogether), slots(n_slots * kTogether);
  for (size_t k = 0; k < n_columns * kTogether; ++k)
    codes.get()[k] = static_cast<uint8_t>(random.next());
  std::vector<uint8_t> first(n_slots * kTogether);
  for (uint8_t& byte : first) byte = static_cast<uint8_t>(random.next());
  std::vector<uint64_t> sets(3 * 4);
  for (uint64_t& word : sets) word = random.next();
  std::vector<Choice> made(n_choices);
  const auto place = [&](size_t n) { return static_cast<uint16_t>(random.below(n) * kTogether); };
  for (Choice& c : made)
    c = {place(n_columns),
         place(n_slots),
         place(n_slots),
         place(n_slots),
         static_cast<uint8_t>(random.below(2)),
         static_cast<uint8_t>(random.below(255)),
         static_cast<uint32_t>(random.below(3))};
  std::vector<uint8_t> right(first);
  for (const Choice& c : made)
    for (size_t i = 0; i < kTogether; ++i) {
      const uint8_t code = codes.get()[c.column + i];
      const bool yes =
          c.within ? (sets[4 * c.set + code / 64] >> (code % 64) & 1) != 0 : code > c.cut;
      right[c.slot + i] = right[(yes ? c.high : c.low) + i];
    }
  for (const Hot* hot : variants()) {
    std::copy(first.begin(), first.end(), slots.get());
    hot->choose(made.data(), made.size(), codes.get(), sets.data(), slots.get());
    CHECK(std::equal(right.begin(), right.end(), slots.get()));
  }
}

void answers() {
  Random random(53);
  for (const Hot* hot : variants())
    for (const size_t n_answers : {1, 7, 8, 9, 16, 33, 64, 65, 200})
      for (const size_t n : kSizes) {
        std::vector<double> answers((n_answers + 31) / 32 * 32), score(n), right;
        std::vector<uint8_t> leaf(n);
        for (double& answer : answers) answer = random.uniform();
        for (size_t i = 0; i < n; ++i) {
          leaf[i] = static_cast<uint8_t>(random.below(n_answers));
          score[i] = random.uniform();
          right.push_back(score[i] + answers[leaf[i]]);
        }
        hot->add_answers(leaf.data(), n, answers.data(), n_answers, score.data());
        CHECK(same_bits(score, right));
      }
}

// Leaves with slopes: the loop agrees with one row after another.
void sloped() {
  Random random(54);
  for (const Hot* hot : variants()) {
    if (hot->add_sloped == nullptr) continue;
    for (const size_t n_leaves : {1, 7, 8, 9, 16, 33, 64})
      for (const size_t n : kSizes) {
        constexpr size_t kColumns = 3;
        const size_t room = (n_leaves + 31) / 32 * 32;
        std::vector<double> tables((1 + 4 * kColumns) * room), x(kColumns * n), score(n), right;
        std::vector<uint8_t> leaf(n);
        const std::vector<uint32_t> columns{2, 0, 1};
        for (double& v : x) v = random.below(9) == 0 ? std::nan("") : 2 * random.uniform();
        for (size_t l = 0; l < n_leaves; ++l) {
          tables[l] = random.uniform();
          for (size_t k = 0; k < kColumns; ++k) {
            double* const of = tables.data() + (1 + 4 * k) * room + l;
            if (random.below(3) == 0) continue;
            of[0] = random.uniform() - 0.5;
            of[room] = random.uniform();
            of[2 * room] = random.uniform() / 2;
            of[3 * room] = 1 + random.uniform() / 2;
          }
        }
        for (size_t i = 0; i < n; ++i) {
          leaf[i] = static_cast<uint8_t>(random.below(n_leaves));
          score[i] = random.uniform();
          double more = 0;
          for (size_t k = 0; k < kColumns; ++k) {
            const double* const of = tables.data() + (1 + 4 * k) * room + leaf[i];
            const double v = x[columns[k] * n + i];
            const double held = std::min(std::max(v, of[2 * room]), of[3 * room]);
            if (of[0] != 0) more += of[0] * (held - of[room]);
          }
          const double value = tables[leaf[i]];
          right.push_back(score[i] + 0.3 * (more == more ? value + more : value));
        }
        hot->add_sloped({tables.data(), columns.data(), kColumns, n_leaves, room, 0.3}, leaf.data(),
                        n, x.data(), n, score.data());
        CHECK(same_bits(score, right));
      }
  }
}

}  // namespace

int main() {
  codes_of<float>();
  codes_of<double>();
  choices();
  answers();
  sloped();
}

// Trees that fit a gradient: Newton's step in every leaf, on coded columns.
//
// Promise: the tree depends on the multiset of rows only: not on their order, not on the number of
// threads, and k copies are a row of weight k. Growth is best-first. Cost: a node pays for the rows
// of its smaller child; the larger one is the difference. Histograms are kept for open nodes while
// they fit a fixed budget and made anew beyond it. With several threads the next few nodes in line
// are searched ahead, side by side; what is then not needed changes nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "weaklearn/bands.hpp"
#include "weaklearn/columns.hpp"
#include "weaklearn/gain.hpp"
#include "weaklearn/gradient.hpp"
#include "weaklearn/hot.hpp"
#include "weaklearn/pool.hpp"
#include "weaklearn/tree.hpp"

namespace weaklearn {

struct GrowerLimits {
  GainLimits gain;
  int32_t most_leaves = 31;
  int32_t most_depth = INT32_MAX;
  double least_gain = 0;
  size_t most_bytes = size_t{512} << 20;  // of histograms that one tree may keep
  size_t worth_bands = 200'000;           // rows from which codes are laid out in bands too
};

// One tree to be grown.
struct GrowTask {
  Gradients gradients;
  const uint32_t* rows = nullptr;  // ascending; null: all rows
  size_t n_rows = 0;
  const int32_t* features = nullptr;  // ascending; null: all features
  size_t n_features = 0;
  double vote = 1;                    // scores move by vote times value
  double* scores = nullptr;           // one a row of the sample, in the bag or not
  const double* residuals = nullptr;  // for leaves that answer a quantile of them
  double quantile = 0.5;
};

class GradientGrower {
 public:
  // monotone: -1, 0 or +1 a feature, or empty; groups: features that may stand on one path, or
  // empty.
  GradientGrower(const Columns& columns, const GrowerLimits& limits, std::vector<int8_t> monotone,
                 std::vector<std::vector<int32_t>> groups, int threads)
      : columns_(columns),
        codes_(columns),
        limits_(limits),
        monotone_(std::move(monotone)),
        groups_(std::move(groups)),
        threads_(threads) {
    for (size_t j = 0; j < columns.size(); ++j)
      if (columns[j].n_slots() > 1) usable_.push_back(static_cast<int32_t>(j));
    bands_ = std::make_unique<Bands>(usable_);
    if (n_rows() >= limits_.worth_bands) {
      give_memory_back();  // what was freed before the first round would stand beside the bands
      bands_->lay(codes_, n_rows(), threads);
    }
    for (const int8_t direction : monotone_) bounded_ |= direction != 0;
    if (!groups_.empty()) groups_of_.resize(columns.size());
    for (size_t k = 0; k < groups_.size(); ++k)
      for (const int32_t feature : groups_[k])
        groups_of_[feature].push_back(static_cast<int32_t>(k));
  }

  size_t n_rows() const { return columns_.n_rows(); }
  size_t n_features() const { return columns_.size(); }

  // Grows every task's tree: several trees side by side, or one with all threads.
  std::vector<TreeArrays> grow(const std::vector<GrowTask>& tasks) {
    std::vector<TreeArrays> trees(tasks.size());
    const int each = tasks.size() == 1 ? threads_ : 1;
    Pool::instance().run(tasks.size(), threads_, [&](size_t t) {
      auto work = borrow();
      trees[t] = Growth(*this, *work, tasks[t], each).grow();
      give_back(std::move(work));
    });
    return trees;
  }

 private:
  static constexpr size_t kBlock = 6;    // columns filled at once
  static constexpr size_t kFewRows = 6;  // a node of fewer rows than all over this reads bands
  static constexpr size_t kChunk = 512;  // rows whose words stay in the cache for two ribbons
  static constexpr size_t kScan = 1500;  // rows that cost as much as looking for a column's split

  // Values of some rows, side by side.
  struct Gathered {
    std::vector<int64_t> one, c, n;
  };

  // Memory a growth leaves to the next one.
  struct Work {
    WholeGradients whole;
    std::vector<uint32_t> rows, others, spare;
    std::vector<Gathered> gathered;  // one a node searched at the same time
    std::vector<std::unique_ptr<Sums[]>> free;
    size_t width = 0;  // columns of a free histogram
  };

  struct Node {
    size_t begin = 0, end = 0, others_begin = 0, others_end = 0;
    int32_t number = -1;
    int32_t depth = 0;
    NodeTerms terms;
    std::unique_ptr<Sums[]> sums;
    GainSplit split;
    std::vector<int32_t> groups;  // those whose features may still follow
    size_t children = 0;          // place of the left one; 0: not divided yet
    bool searched = false;        // whether the children have their splits
    bool anew = false;            // whether both children's sums are made from their rows
    size_t size() const { return end - begin; }
  };

  class Growth {
   public:
    Growth(GradientGrower& grower, Work& work, const GrowTask& task, int threads)
        : own_(grower), work_(work), task_(task), threads_(threads) {}

    TreeArrays grow() {
      begin();
      search_root();
      offer(0);
      for (int32_t leaves = 1; !open_.empty() && leaves < own_.limits_.most_leaves; ++leaves) {
        Pool::breathe();
        const size_t node = next();
        const int32_t splits_left = own_.limits_.most_leaves - leaves;
        if (splits_left > 1 && !nodes_[node].searched) search_ahead(node, splits_left);
        if (nodes_[node].children == 0) {
          conceive(node);
          part_rows(node, threads_);
        }
        enter(node);
        if (splits_left > 1) {
          offer(nodes_[node].children);
          offer(nodes_[node].children + 1);
        }
        drop(nodes_[node]);
        forget_hopeless(static_cast<size_t>(splits_left - 1));
      }
      for (Node& node : nodes_) drop(node);
      finish();
      return std::move(tree_);
    }

   private:
    // ------------------------------------------------------------------------------ the queue

    bool before(size_t a, size_t b) const {
      const double x = nodes_[a].split.gain, y = nodes_[b].split.gain;
      return x != y ? x > y : nodes_[a].number < nodes_[b].number;
    }

    void offer(size_t node) {
      if (!(nodes_[node].split.gain > own_.limits_.least_gain)) return drop(nodes_[node]);
      open_.push_back(node);
      std::push_heap(open_.begin(), open_.end(), [&](size_t a, size_t b) { return before(b, a); });
      if (kept_ * features_.size() * sizeof(Sums) > own_.limits_.most_bytes) drop(nodes_[node]);
    }

    size_t next() {
      std::pop_heap(open_.begin(), open_.end(), [&](size_t a, size_t b) { return before(b, a); });
      const size_t node = open_.back();
      open_.pop_back();
      return node;
    }

    // Of more open nodes than splits to come, the last in line have no turn: their sums can go.
    void forget_hopeless(size_t splits) {
      constexpr size_t many = 256;  // where looking through all of them would take long
      if (open_.size() > many) return;
      while (open_.size() > splits) {
        const auto last = std::max_element(open_.begin(), open_.end(),
                                           [&](size_t a, size_t b) { return before(a, b); });
        drop(nodes_[*last]);
        open_.erase(last);
        std::make_heap(open_.begin(), open_.end(),
                       [&](size_t a, size_t b) { return before(b, a); });
      }
    }

    // ---------------------------------------------------------------------------- setting out

    void begin() {
      const size_t m = own_.n_rows();
      choose_features();
      cut_pieces();
      whole_sample_ = task_.rows == nullptr;
      const size_t n = whole_sample_ ? m : task_.n_rows;
      work_.rows.resize(n);
      work_.spare.resize(m);
      if (whole_sample_)
        for (size_t i = 0; i < n; ++i) work_.rows[i] = static_cast<uint32_t>(i);
      else
        std::copy(task_.rows, task_.rows + n, work_.rows.begin());
      work_.whole.take(task_.gradients, m, work_.rows.data(), n, threads_);
      work_.others.clear();
      if (n < m && task_.scores != nullptr) {
        work_.others.resize(m - n);
        size_t next = 0, k = 0;
        for (size_t i = 0; i < m; ++i) {
          if (next < n && work_.rows[next] == i)
            ++next;
          else
            work_.others[k++] = static_cast<uint32_t>(i);
        }
      }
      Node root;
      root.number = 0;
      root.end = n;
      root.others_end = work_.others.size();
      root.terms.g_unit = work_.whole.g_unit();
      root.terms.c_unit = work_.whole.c_unit();
      root.terms.bounded = own_.bounded_;
      if (own_.limits_.gain.level_noise > 0 && any_levels())
        root.terms.noise = work_.whole.noise(task_.rows, n, threads_);
      for (size_t k = 0; k < own_.groups_.size(); ++k)
        root.groups.push_back(static_cast<int32_t>(k));
      nodes_.push_back(std::move(root));
      tree_.add(0, 0);
    }

    bool any_levels() const {
      return std::any_of(features_.begin(), features_.end(),
                         [&](int32_t j) { return own_.columns_[j].categorical; });
    }

    void choose_features() {
      if (task_.features == nullptr) {
        features_ = own_.usable_;
        return;
      }
      for (size_t k = 0; k < task_.n_features; ++k)
        if (own_.columns_[task_.features[k]].n_slots() > 1) features_.push_back(task_.features[k]);
    }

    // ------------------------------------------------------------------------------ searching

    void search_root() {
      Node& root = nodes_[0];
      if (features_.empty()) {
        root.terms.total.n = work_.whole.examples();
        return;
      }
      root.sums = histogram();
      Gathered& values = gathered(0);
      gather(root, values, threads_);
      std::vector<GainSplit> found(features_.size());
      in_pieces(
          pieces_, root.size() + kScan,
          [&](const Piece& piece) {
            fill(root, values, piece);
            NodeTerms terms = root.terms;
            terms.total = total_of(root, piece.first);  // the same from every column
            scan(root, terms, piece, found);
          },
          threads_);
      root.terms.total = total_of(root, 0);
      if (may_split(root)) choose(root, found);
    }

    Total total_of(const Node& node, size_t k) const {
      const SumsView sums(node.sums[k], work_.whole.constant());
      Total total;
      for (uint32_t s = 0; s < own_.columns_[features_[k]].n_slots(); ++s) {
        total.g += sums.g[s];
        total.c += sums.c[s];
        total.n += sums.n[s];
      }
      return total;
    }

    bool may_split(const Node& node) const {
      return node.depth < own_.limits_.most_depth &&
             node.terms.total.n >= 2 * own_.limits_.gain.least_n;
    }

    // Divides a node and searches its children; with threads to spare, those next in line too.
    void search_ahead(size_t node, int32_t splits_left) {
      std::vector<size_t> wave{node};
      // A node worth all threads is shared among them by its columns; small ones go side by side.
      if (threads_ > 1 && threads_for(cost(nodes_[node]) * features_.size(), threads_) == 1) {
        add_next_in_line(wave, std::min<size_t>(2 * threads_, (splits_left + 2) / 3));
        size_t total = 0;
        for (const size_t k : wave) total += cost(nodes_[k]);
        if (threads_for(total * features_.size(), threads_) == 1) wave.resize(1);
      }
      for (const size_t k : wave) {
        conceive(k);
        make_room(k);
      }
      if (wave.size() == 1) {
        part_rows(node, threads_);
        search_children(node, gathered(0), threads_);
        return;
      }
      for (size_t k = 0; k < wave.size(); ++k) gathered(k);
      Pool::instance().run(wave.size(), threads_, [&](size_t k) {
        part_rows(wave[k], 1);
        search_children(wave[k], work_.gathered[k], 1);
      });
    }

    // Adds the best open nodes that are not searched yet, up to `most` in all: a walk down from the
    // top of the heap, which costs no more the more nodes are open.
    void add_next_in_line(std::vector<size_t>& wave, size_t most) const {
      std::vector<size_t> places;  // of the heap, themselves a heap
      const auto later = [&](size_t a, size_t b) { return before(open_[b], open_[a]); };
      if (!open_.empty()) places.push_back(0);
      for (size_t looked = 0; !places.empty() && wave.size() < most && looked < 8 * most;
           ++looked) {
        std::pop_heap(places.begin(), places.end(), later);
        const size_t place = places.back();
        places.pop_back();
        if (!nodes_[open_[place]].searched) wave.push_back(open_[place]);
        for (size_t child = 2 * place + 1; child < std::min(2 * place + 3, open_.size()); ++child) {
          places.push_back(child);
          std::push_heap(places.begin(), places.end(), later);
        }
      }
    }

    static size_t cost(const Node& node) { return node.size() / 2 + 2 * kScan; }

    // Histograms for both children of a node, that of the parent for the heavier one.
    void make_room(size_t parent) {
      const size_t left = nodes_[parent].children;
      nodes_[parent].searched = true;
      if (!may_split(nodes_[left]) && !may_split(nodes_[left + 1])) return;
      Node& light = nodes_[lighter(left)];
      Node& heavy = nodes_[2 * left + 1 - lighter(left)];
      light.sums = histogram();
      nodes_[parent].anew = !nodes_[parent].sums;
      heavy.sums = nodes_[parent].anew ? histogram() : std::move(nodes_[parent].sums);
    }

    size_t lighter(size_t left) const {
      return nodes_[left].terms.total.n <= nodes_[left + 1].terms.total.n ? left : left + 1;
    }

    // Histograms and best splits of both children of a divided node.
    void search_children(size_t parent, Gathered& values, int threads) {
      const size_t left = nodes_[parent].children;
      Node& light = nodes_[lighter(left)];
      Node& heavy = nodes_[2 * left + 1 - lighter(left)];
      if (!light.sums) return;
      const bool anew = nodes_[parent].anew;  // no budget was left for the parent's sums
      const std::vector<Piece> pieces = pieces_for(light);
      std::vector<GainSplit> in_light(features_.size()), in_heavy(features_.size());
      if (anew) {
        gather(heavy, values, threads);
        in_pieces(
            pieces, heavy.size(), [&](const Piece& piece) { fill(heavy, values, piece); }, threads);
      }
      gather(light, values, threads);
      in_pieces(
          pieces, light.size() + 2 * kScan,
          [&](const Piece& piece) {
            fill(light, values, piece);
            if (!anew) subtract(heavy.sums.get(), light.sums.get(), piece);
            if (may_split(light)) scan(light, light.terms, piece, in_light);
            if (may_split(heavy)) scan(heavy, heavy.terms, piece, in_heavy);
          },
          threads);
      choose(light, in_light);
      choose(heavy, in_heavy);
    }

    // The features by band, or else in blocks, as many for each thread.
    void cut_pieces() {
      if (own_.bands_->laid()) {
        pieces_ = own_.bands_->divide(features_);
        return;
      }
      const size_t n = features_.size(), each = static_cast<size_t>(threads_);
      const size_t blocks = ((n + kBlock - 1) / kBlock + each - 1) / each * each;
      for (size_t t = 0; t < blocks; ++t) {
        const size_t first = t * n / blocks, last = (t + 1) * n / blocks;
        if (first < last) pieces_.push_back({first, last - first});
      }
    }

    // The pieces of what a node's children may be split on.
    std::vector<Piece> pieces_for(const Node& node) const {
      if (own_.groups_.empty()) return pieces_;
      std::vector<Piece> mine;
      for (const Piece& piece : pieces_)
        for (size_t k = piece.first; k < piece.first + piece.count; ++k) {
          if (!allowed(node, features_[k])) continue;
          const bool next = !mine.empty() && mine.back().band == piece.band &&
                            mine.back().first + mine.back().count == k && k > piece.first;
          if (next)
            ++mine.back().count;
          else
            mine.push_back({k, 1, piece.band});
        }
      return mine;
    }

    // body(piece) over pieces of features, on the pool if it pays.
    template <class Body>
    static void in_pieces(const std::vector<Piece>& pieces, size_t steps, Body&& body,
                          int most_threads) {
      size_t n_features = 0;
      for (const Piece& piece : pieces) n_features += piece.count;
      const int threads = threads_for(steps * n_features, most_threads);
      if (threads == 1)
        for (const Piece& piece : pieces) body(piece);
      else
        Pool::instance().run(pieces.size(), threads, [&](size_t t) { body(pieces[t]); });
    }

    Gathered& gathered(size_t k) {
      if (work_.gathered.size() <= k) work_.gathered.resize(k + 1);
      return work_.gathered[k];
    }

    bool is_everyone(const Node& node) const {
      return whole_sample_ && node.size() == own_.n_rows();
    }

    // The values of a node's rows, side by side.
    void gather(const Node& node, Gathered& values, int threads) const {
      const WholeGradients& whole = work_.whole;
      if (is_everyone(node)) return;  // they lie so already
      const uint32_t* rows = work_.rows.data() + node.begin;
      const size_t n = node.size();
      if (values.one.size() < n) values.one.resize(n);
      if (whole.packed()) {
        constexpr size_t piece = 8192;
        Pool::instance().run((n + piece - 1) / piece, threads_for(4 * n, threads), [&](size_t t) {
          const size_t end = std::min(n, (t + 1) * piece);
          for (size_t k = t * piece; k < end; ++k) {
            if (k + kAhead < end) ask_for(whole.one() + rows[k + kAhead]);
            values.one[k] = whole.one()[rows[k]];
          }
        });
        return;
      }
      if (values.c.size() < n) {
        values.c.resize(n);
        values.n.resize(n);
      }
      for (size_t k = 0; k < n; ++k) {
        values.one[k] = whole.g()[rows[k]];
        values.c[k] = whole.c()[rows[k]];
        values.n[k] = whole.n()[rows[k]];
      }
    }

    // Sums by code over a node's rows, for the features of a band.
    void fill(const Node& node, const Gathered& values, const Piece& piece) const {
      const size_t first = piece.first, count = piece.count;
      std::memset(static_cast<void*>(node.sums.get() + first), 0, count * sizeof(Sums));
      if (!work_.whole.packed()) return fill_wide(node, values, piece);
      const bool few = node.size() * kFewRows < own_.n_rows() && own_.bands_->laid();
      int64_t table[kBand * kSlots];
      for (size_t begin = 0; begin < node.size(); begin += kPackedRows) {
        const size_t end = std::min(begin + kPackedRows, node.size());
        std::memset(table, 0, count * kSlots * sizeof(int64_t));
        if (few)
          add_ribbons(node, values, piece, begin, end, table);
        else
          add_columns(node, values, piece, begin, end, table);
        for (size_t k = 0; k < count; ++k) {
          Sums& out = node.sums[first + k];
          hot().unpack(table + k * kSlots, own_.columns_[features_[first + k]].n_slots(),
                       kCountBits, work_.whole.c_bits(), out.g,
                       work_.whole.constant() ? nullptr : out.c, out.n);
        }
      }
    }

    // Adds packed values of some of a node's rows to one table a feature, from the columns.
    void add_columns(const Node& node, const Gathered& values, const Piece& piece, size_t begin,
                     size_t end, int64_t* table) const {
      const size_t first = piece.first, count = piece.count;
      const uint32_t* rows = work_.rows.data() + node.begin;
      const uint8_t* codes[kBlock];
      for (size_t j = 0; j < count; j += kBlock) {
        const size_t width = std::min(kBlock, count - j);
        for (size_t k = 0; k < width; ++k) codes[k] = own_.codes_[features_[first + j + k]];
        if (is_everyone(node))
          hot().histogram(codes, width, work_.whole.one(), begin, end, table + j * kSlots);
        else
          hot().histogram_of(codes, width, rows, values.one.data(), begin, end, table + j * kSlots);
      }
    }

    // The same from a band: what one ribbon fetches the other finds in the cache.
    void add_ribbons(const Node& node, const Gathered& values, const Piece& piece, size_t begin,
                     size_t end, int64_t* table) const {
      const size_t first = piece.first, count = piece.count;
      const uint32_t* rows = work_.rows.data() + node.begin;
      uint8_t bytes[kBand];
      size_t in_first = 0;  // features of the first ribbon
      for (size_t k = 0; k < count; ++k) {
        const size_t place = own_.bands_->place(piece.band, features_[first + k]);
        in_first += place < kRibbon;
        bytes[k] = static_cast<uint8_t>(place % kRibbon);
      }
      const size_t stride = own_.bands_->stride(), in_second = count - in_first;
      const uint8_t* const codes = own_.bands_->codes(piece.band);
      for (size_t from = begin; from < end; from += kChunk) {
        const size_t to = std::min(from + kChunk, end);
        const int64_t* const value = values.one.data();
        if (in_first > 0)
          hot().histogram_beside(codes, stride, bytes, in_first, rows, value, from, to, node.size(),
                                 table);
        if (in_second > 0)
          hot().histogram_beside(codes + kRibbon, stride, bytes + in_first, in_second, rows, value,
                                 from, to, in_first == 0 ? node.size() : 0,
                                 table + in_first * kSlots);
      }
    }

    // Where values do not pack: three sums a feature.
    void fill_wide(const Node& node, const Gathered& values, const Piece& piece) const {
      const size_t first = piece.first, count = piece.count;
      const WholeGradients& whole = work_.whole;
      const bool everyone = is_everyone(node);
      const uint32_t* rows = work_.rows.data() + node.begin;
      const size_t n = node.size();
      for (size_t k = first; k < first + count; ++k) {
        const uint8_t* const codes = own_.codes_[features_[k]];
        Sums& out = node.sums[k];
        fill_one(&codes, rows, everyone ? whole.g() : values.one.data(), n, everyone, out.g);
        fill_one(&codes, rows, everyone ? whole.c() : values.c.data(), n, everyone, out.c);
        fill_one(&codes, rows, everyone ? whole.n() : values.n.data(), n, everyone, out.n);
      }
    }

    static void fill_one(const uint8_t* const* codes, const uint32_t* rows, const int64_t* values,
                         size_t n, bool everyone, int64_t* out) {
      if (everyone)
        hot().histogram(codes, 1, values, 0, n, out);
      else
        hot().histogram_of(codes, 1, rows, values, 0, n, out);
    }

    void subtract(Sums* from, const Sums* what, const Piece& piece) const {
      for (size_t k = piece.first; k < piece.first + piece.count; ++k) {
        const size_t n = own_.columns_[features_[k]].n_slots();
        for (size_t s = 0; s < n; ++s) from[k].g[s] -= what[k].g[s];
        for (size_t s = 0; s < n; ++s) from[k].n[s] -= what[k].n[s];
        if (work_.whole.constant()) continue;
        for (size_t s = 0; s < n; ++s) from[k].c[s] -= what[k].c[s];
      }
    }

    void scan(const Node& node, const NodeTerms& terms, const Piece& piece,
              std::vector<GainSplit>& found) const {
      for (size_t k = piece.first; k < piece.first + piece.count; ++k) {
        const int32_t feature = features_[k];
        if (!own_.groups_.empty() && !allowed(node, feature)) continue;
        const int monotone = own_.monotone_.empty() ? 0 : own_.monotone_[feature];
        found[k] =
            best_split(own_.columns_[feature], SumsView(node.sums[k], work_.whole.constant()),
                       terms, own_.limits_.gain, monotone);
        found[k].feature = feature;
      }
    }

    // Whether one of the groups that a node still has holds the feature.
    bool allowed(const Node& node, int32_t feature) const {
      const std::vector<int32_t>& mine = own_.groups_of_[feature];
      return std::any_of(mine.begin(), mine.end(), [&](int32_t group) {
        return std::binary_search(node.groups.begin(), node.groups.end(), group);
      });
    }

    static void choose(Node& node, const std::vector<GainSplit>& found) {
      for (const GainSplit& split : found)
        if (split.gain > node.split.gain) node.split = split;
    }

    // ------------------------------------------------------------------------------- dividing

    // Two new nodes for the sides of a node's split, as yet without rows.
    void conceive(size_t parent) {
      const Node& node = nodes_[parent];
      const GainSplit& split = node.split;
      Node low, high;
      low.depth = high.depth = node.depth + 1;
      low.terms = high.terms = node.terms;
      low.terms.total = split.left;
      high.terms.total = node.terms.total - split.left;
      bind_values(node, split.feature, low, high);
      if (!own_.groups_.empty())
        std::copy_if(own_.groups_of_[split.feature].begin(), own_.groups_of_[split.feature].end(),
                     std::back_inserter(low.groups), [&](int32_t group) {
                       return std::binary_search(node.groups.begin(), node.groups.end(), group);
                     });
      high.groups = low.groups;
      nodes_[parent].children = nodes_.size();
      nodes_.push_back(std::move(low));
      nodes_.push_back(std::move(high));
    }

    bool heavy_right(const Node& node) const {
      return node.terms.total.n - node.split.left.n > node.split.left.n;
    }

    // Gives the rows of a node to its children.
    void part_rows(size_t parent, int threads) {
      Node& node = nodes_[parent];
      Node &low = nodes_[node.children], &high = nodes_[node.children + 1];
      uint8_t to_right[kSlots];
      LevelSet levels;
      sides(own_.columns_[node.split.feature], node.split, heavy_right(node), to_right, levels);
      const uint8_t* codes = own_.codes_[node.split.feature];
      low.begin = node.begin, high.end = node.end;
      low.end = high.begin = part(work_.rows, 0, node.begin, node.end, codes, to_right, threads);
      low.others_begin = node.others_begin, high.others_end = node.others_end;
      low.others_end = high.others_begin = part(work_.others, work_.rows.size(), node.others_begin,
                                                node.others_end, codes, to_right, threads);
    }

    // Writes a divided node and its children into the tree.
    void enter(size_t parent) {
      Node& node = nodes_[parent];
      const GainSplit& split = node.split;
      const Column& column = own_.columns_[split.feature];
      uint8_t to_right[kSlots];
      LevelSet levels;
      const bool missing_right = sides(column, split, heavy_right(node), to_right, levels);
      const int32_t number = node.number, first = tree_.add(0, 0);
      tree_.add(0, 0);
      nodes_[node.children].number = first;
      nodes_[node.children + 1].number = first + 1;
      tree_.ask[number] = static_cast<uint8_t>(split.levels ? Ask::subset : Ask::threshold);
      tree_.feature[number] = split.feature;
      tree_.first[number] = first;
      tree_.width[number] = 2;
      tree_.missing[number] = missing_right ? 1 : 0;
      tree_.gain[number] = split.gain;
      if (split.levels) {
        tree_.subset[number] = static_cast<int32_t>(tree_.subsets.size());
        tree_.subsets.push_back(levels);
      } else {
        tree_.threshold[number] =
            split.cut + 1 < column.n_codes
                ? cut_between(column.greatest(split.cut), column.least(split.cut + 1))
                : std::numeric_limits<double>::max();  // all there are, known from missing
      }
    }

    // Which codes go right; what the node has not seen follows the heavier side. Returns where
    // missing values go.
    static bool sides(const Column& column, const GainSplit& split, bool heavy_right,
                      uint8_t* to_right, LevelSet& levels) {
      const bool missing_right = split.missing_met ? split.missing_right : heavy_right;
      for (uint32_t code = 0; code < column.n_codes; ++code) {
        bool right = split.levels ? split.right.has(code) : code > split.cut;
        if (split.levels && !split.met.has(code)) right = heavy_right;
        to_right[code] = right;
        if (split.levels && right) levels.add(code);
      }
      to_right[column.n_codes] = missing_right;
      return missing_right;
    }

    // Children of a split on a monotone column may not pass each other's middle.
    void bind_values(const Node& node, int32_t feature, Node& low, Node& high) const {
      if (!own_.bounded_ || own_.monotone_[feature] == 0) return;
      const double l2 = own_.limits_.gain.l2;
      const double middle = (gain::value_of(node.terms, low.terms.total, l2) +
                             gain::value_of(node.terms, high.terms.total, l2)) /
                            2;
      if (own_.monotone_[feature] > 0)
        low.terms.high = high.terms.low = middle;
      else
        low.terms.low = high.terms.high = middle;
    }

    // Splits rows [begin, end) in order, with the spare room from `offset` on; returns where the
    // right part begins.
    size_t part(std::vector<uint32_t>& rows, size_t offset, size_t begin, size_t end,
                const uint8_t* codes, const uint8_t* to_right, int most_threads) {
      constexpr size_t kChunk = 16384;
      const size_t n = end - begin;
      uint32_t* const list = rows.data() + begin;
      uint32_t* const spare = work_.spare.data() + offset + begin;
      const int threads = n < 2 * kChunk ? 1 : most_threads;
      if (threads == 1) {
        const size_t left = hot().part(list, n, codes, to_right, list, spare);
        std::copy(spare, spare + (n - left), list + left);
        return begin + left;
      }
      const size_t chunks = (n + kChunk - 1) / kChunk;
      std::vector<size_t> left(chunks);
      Pool::instance().run(chunks, threads, [&](size_t t) {
        const size_t from = t * kChunk, size = std::min(kChunk, n - from);
        left[t] = hot().part(list + from, size, codes, to_right, list + from, spare + from);
      });
      size_t total = 0;
      for (size_t t = 0; t < chunks; ++t) {  // the left parts move up, in order
        std::memmove(list + total, list + t * kChunk, left[t] * sizeof(uint32_t));
        total += left[t];
      }
      size_t at = total;
      for (size_t t = 0; t < chunks; ++t) {
        const size_t size = std::min(kChunk, n - t * kChunk) - left[t];
        std::memcpy(list + at, spare + t * kChunk, size * sizeof(uint32_t));
        at += size;
      }
      return begin + total;
    }

    // ------------------------------------------------------------------------------ finishing

    void finish() {
      const size_t n = tree_.size();
      tree_.values.assign(n, 0.0);
      for (size_t k = 0; k < n; ++k) tree_.value[k] = static_cast<int32_t>(k);
      size_t total_rows = work_.rows.size() + work_.others.size();
      auto one = [&](size_t k) { settle(nodes_[k]); };
      const int threads = threads_for(total_rows * 4, threads_);
      if (threads == 1)
        for (size_t k = 0; k < nodes_.size(); ++k) one(k);
      else
        Pool::instance().run(nodes_.size(), threads, one);
    }

    // The value of a node, and the new scores of the rows where it is a leaf.
    void settle(const Node& node) {
      const int32_t number = node.number;
      if (number < 0) return;  // searched ahead in vain
      const double l2 = own_.limits_.gain.l2;
      tree_.count[number] = node.terms.total.n;
      if (tree_.ask[number] != static_cast<uint8_t>(Ask::leaf)) {
        tree_.values[number] = gain::value_of(node.terms, node.terms.total, l2);
        tree_.weight[number] = static_cast<double>(node.terms.total.c) * node.terms.c_unit;
        return;
      }
      const uint32_t* rows = work_.rows.data();
      double G, C;
      work_.whole.exact(rows + node.begin, node.size(), &G, &C);
      double value = C + l2 > 0 ? -G / (C + l2) : 0.0;
      if (task_.residuals != nullptr) value = quantile_of(node);
      value = std::clamp(value, node.terms.low, node.terms.high);
      tree_.values[number] = value;
      tree_.weight[number] = C;
      if (task_.scores == nullptr) return;
      const double step = task_.vote * value;
      for (size_t k = node.begin; k < node.end; ++k) {
        if (k + kAhead < node.end) ask_for(task_.scores + rows[k + kAhead]);
        task_.scores[rows[k]] += step;
      }
      for (size_t k = node.others_begin; k < node.others_end; ++k)
        task_.scores[work_.others[k]] += step;
    }

    // The quantile of the residuals in a leaf: the least one with that share of the weight (the
    // curvature) at or below it, or the middle of two where the share is met exactly.
    double quantile_of(const Node& node) const {
      std::vector<std::pair<double, int64_t>> sorted;
      sorted.reserve(node.size());
      int64_t total = 0;
      for (size_t k = node.begin; k < node.end; ++k) {
        const uint32_t i = work_.rows[k];
        const int64_t weight = work_.whole.weight(i);
        if (weight > 0) sorted.emplace_back(task_.residuals[i], weight);
        total += weight;
      }
      if (sorted.empty()) return 0;
      std::sort(sorted.begin(), sorted.end());
      const double wanted = task_.quantile * static_cast<double>(total);
      int64_t sum = 0;
      for (size_t k = 0; k < sorted.size(); ++k) {
        sum += sorted[k].second;
        if (static_cast<double>(sum) < wanted) continue;
        const bool met = static_cast<double>(sum) == wanted && k + 1 < sorted.size();
        return met ? (sorted[k].first + sorted[k + 1].first) / 2 : sorted[k].first;
      }
      return sorted.back().first;
    }

    // -------------------------------------------------------------------------------- memory

    std::unique_ptr<Sums[]> histogram() {
      if (work_.width != features_.size()) {
        work_.free.clear();
        work_.width = features_.size();
      }
      ++kept_;
      if (!work_.free.empty()) {
        auto sums = std::move(work_.free.back());
        work_.free.pop_back();
        return sums;
      }
      return std::make_unique_for_overwrite<Sums[]>(features_.size());
    }

    void drop(Node& node) {
      if (!node.sums) return;
      --kept_;
      work_.free.push_back(std::move(node.sums));
    }

    GradientGrower& own_;
    Work& work_;
    const GrowTask& task_;
    const int threads_;
    bool whole_sample_ = true;
    std::vector<int32_t> features_;
    std::vector<Piece> pieces_;  // of the features, one a task
    std::vector<Node> nodes_;
    std::vector<size_t> open_;  // a heap of nodes that may be split, the best on top
    TreeArrays tree_;
    size_t kept_ = 0;
  };

  std::unique_ptr<Work> borrow() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return std::make_unique<Work>();
    auto work = std::move(idle_.back());
    idle_.pop_back();
    return work;
  }
  void give_back(std::unique_ptr<Work> work) {
    std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(work));
  }

  const Columns& columns_;
  const DenseCodes codes_;
  const GrowerLimits limits_;
  const std::vector<int8_t> monotone_;
  const std::vector<std::vector<int32_t>> groups_;
  std::vector<std::vector<int32_t>> groups_of_;  // of each feature, ascending
  const int threads_;
  std::vector<int32_t> usable_;
  std::unique_ptr<Bands> bands_;
  bool bounded_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Work>> idle_;
};

}  // namespace weaklearn

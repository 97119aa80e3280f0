// One variant of the hot loops: the table of those that weaklearn/hot/loops.hpp describes, compiled
// once for each instruction set. The loops themselves stand in parts, by what they work on;
// hot/variant.hpp says how the variants are kept apart.
#include "hot/choices.hpp"
#include "hot/codes.hpp"
#include "hot/entropies.hpp"
#include "hot/exponentials.hpp"
#include "hot/gradients.hpp"
#include "hot/histograms.hpp"
#include "hot/label_costs.hpp"
#include "hot/label_sums.hpp"
#include "hot/labels.hpp"
#include "hot/places.hpp"
#include "hot/row_content.hpp"
#include "hot/scan.hpp"
#include "hot/steps.hpp"
#include "hot/variant.hpp"
#include "hot/weights.hpp"
#include "hot/windows.hpp"
#include "weaklearn/hot/loops.hpp"

#define WEAKLEARN_TEXT2(x) #x
#define WEAKLEARN_TEXT(x) WEAKLEARN_TEXT2(x)

namespace weaklearn::WEAKLEARN_VARIANT {

extern const Hot table;
const Hot table = {
    .exponentials = exponentials,
    .logarithms = logarithms,
    .x_log_x = x_log_x,
    .whole_x_log_x = whole_x_log_x,
    .take_out = take_out,
#if defined(WEAKLEARN_AVX512)
    .class_cuts = class_cuts,
#else
    .class_cuts = nullptr,
#endif
    .whole_numbers = whole_numbers,
    .changes = changes,
    .grow = grow,
    .sides = sides,
    .sides_cut = sides_cut,
    .histogram = histogram,
    .histogram_of = histogram_of,
    .histogram_beside = histogram_beside,
    .places = places,
    .places_f32 = places_f32,
    .look_up = look_up,
#if defined(WEAKLEARN_AVX512)
    .score_steps = score_steps<Doubles>,
    .score_steps_f32 = score_steps<Singles>,
#else
    .score_steps = nullptr,
    .score_steps_f32 = nullptr,
#endif
    .row_content = row_content,
    .hash_examples = hash_examples,
    .sums_of = sums_of,
    .masses = masses,
    .remainders = remainders,
    .vote_errors = vote_errors,
    .pack = pack,
    .square_sums = square_sums,
    .unpack = unpack,
    .gains = gains,
    .greatest = greatest,
    .part = part,
    .logistic = logistic,
    .codes = codes,
    .codes_f32 = codes_f32,
    .wide_codes = wide_codes,
    .wide_codes_f32 = wide_codes_f32,
    .choose = choose,
    .add_answers = add_answers,
#if defined(WEAKLEARN_AVX512)
    .add_sloped = add_sloped,
#else
    .add_sloped = nullptr,
#endif
    .label_sums = label_sums,
    .label_costs = label_costs,
    .label_bounds = label_bounds,
    .other_rows = other_rows,
    .label_look = label_look,
    .label_add = label_add,
    .label_weigh = label_weigh,
    .label_move = label_move,
    .corner_sums = corner_sums,
    .corner_sums_f64 = corner_sums_f64,
    .quotients = quotients,
    .spread_codes = spread_codes,
    .packed_reach = packed_reach,
    .packed_merit = packed_merit,
    .blend_rows = blend_rows,
    .blend_columns = blend_columns,
    .scan_pyramid = {scan_add_row<uint32_t, uint32_t>, scan_norms_opencv,
                     scan_judge<float, uint32_t>, scan_judge_one<float, uint32_t>, kFewFloats},
    .scan_features = {scan_add_row<uint32_t, uint64_t>, scan_norms<uint32_t>,
                      scan_judge<double, uint32_t>, scan_judge_one<double, uint32_t>, kFewDoubles},
    .scan_giant = {scan_add_row<uint64_t, uint64_t>, scan_norms<uint64_t>,
                   scan_judge<double, uint64_t>, scan_judge_one<double, uint64_t>, kFewDoubles},
    .name = WEAKLEARN_TEXT(WEAKLEARN_VARIANT),
};

}  // namespace weaklearn::WEAKLEARN_VARIANT

#include "weaklearn/vision/boxes.hpp"

#include "bind.hpp"

namespace weaklearn::bind {
namespace {

using BoxTable = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Rule>
Out<int64_t> classes_by(const BoxTable& boxes, double share) {
  expect(boxes.shape(1), 4, "a box");
  if (!(share >= 0.0)) throw std::invalid_argument("a share below 0");
  const size_t n = boxes.shape(0);
  std::vector<Box> own(n);
  for (size_t i = 0; i < n; ++i) own[i] = {boxes(i, 0), boxes(i, 1), boxes(i, 2), boxes(i, 3)};
  std::vector<int64_t> label;
  without_gil([&] { label = box_classes(own.data(), n, Rule{share}); });
  return array_of(label, {n});
}

}  // namespace

void boxes(nb::module_& m) {
  m.def("overlapping_boxes", &classes_by<SharedArea>, nb::arg("boxes"), nb::arg("share"),
        "The class of each box (left, top, width, height): boxes belong together that share more "
        "than so much of the area they cover.");
  m.def("similar_boxes", &classes_by<SimilarEdges>, nb::arg("boxes"), nb::arg("share"),
        "The class of each box: boxes belong together whose edges are no further apart than so "
        "much of their mean smaller side.");
}

}  // namespace weaklearn::bind

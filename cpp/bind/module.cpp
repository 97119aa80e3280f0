// The extension's table of contents.
#include "bind.hpp"
#include "weaklearn/hot/loops.hpp"
#include "weaklearn/threads/profile.hpp"

namespace weaklearn::bind {
void joint_values(nb::module_& m);
void narrow_numbers(nb::module_& m);
void packed_trees(nb::module_& m);
void plain_values(nb::module_& m);
void slope_fit(nb::module_& m);
}  // namespace weaklearn::bind

namespace {

// Asked by long kernels now and then: true once Python has a signal to raise (Ctrl-C).
bool signal_arrived() {
  nb::gil_scoped_acquire acquire;
  return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0;
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "Kernels of weaklearn: coded columns, weights, stump search, trees, scores.";
  weaklearn::poll_hook.store(&signal_arrived);
#if defined(NDEBUG)  // a model that a cache holds until the interpreter ends is no error of ours
  nb::set_leak_warnings(false);
#endif
  m.def("variant", [] { return weaklearn::hot().name; }, "Name of the instruction set in use.");
  m.def(
      "profile",
      [](bool on) {
        weaklearn::Profile& profile = weaklearn::Profile::instance();
        nb::dict seconds;
        for (size_t k = 0; k < weaklearn::kPhases; ++k)
          seconds[weaklearn::kPhaseNames[k]] = profile.seconds(k);
        profile.turn(on);
        return seconds;
      },
      nb::arg("on"),
      "Seconds by phase, summed over threads, since it was last turned on; counts anew, or stops.");
  weaklearn::bind::collective(m);
  weaklearn::bind::narrow_numbers(m);
  weaklearn::bind::columns(m);
  weaklearn::bind::joint_values(m);
  weaklearn::bind::rows_by_content(m);
  weaklearn::bind::tables(m);
  weaklearn::bind::weights(m);
  weaklearn::bind::stump(m);
  weaklearn::bind::score(m);
  weaklearn::bind::cells(m);
  weaklearn::bind::forest(m);
  weaklearn::bind::gradient_grower(m);
  weaklearn::bind::slope_fit(m);
  weaklearn::bind::logistic(m);
  weaklearn::bind::rank(m);
  weaklearn::bind::tree_grower(m);
  weaklearn::bind::labels(m);
  weaklearn::bind::linear(m);
  weaklearn::bind::prune(m);
  weaklearn::bind::numeric_rows(m);
  weaklearn::bind::shap(m);
  weaklearn::bind::experts(m);
  weaklearn::bind::image_scan(m);
  weaklearn::bind::boxes(m);
  weaklearn::bind::haar(m);
  weaklearn::bind::interior_point(m);
  weaklearn::bind::rule(m);
  weaklearn::bind::packed_trees(m);
  weaklearn::bind::plain_values(m);
}

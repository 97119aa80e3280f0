// What every part of the page uses: what is shown, numbers as text, and what the rules answer.
// The parts are one script, in one scope. Texts reach the page as text nodes alone.
"use strict";

(() => {
  const $ = (id) => document.getElementById(id);
  const within = (value, low, high) => Math.min(Math.max(value, low), high);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const state = {
    recording: null, // what is shown
    runs: [], // its runs, unpacked
    t: 0, // the round shown; 0 is the beginning
    timer: 0, // of playing
    tables: null, // what can be chosen
    own: [], // points of one's own: { x, y, label: 0 or 1, flipped }
    past: [], // what they were, for undo
    cursor: null, // where the keyboard is in the plane
    picked: null, // the point that was clicked: an index; points held out follow those learnt from
    place: null, // the place in the plane whose votes are shown: [x, y]
    hidden: false, // whether points with flipped labels are hidden
    logarithmic: false, // whether errors are drawn on a logarithmic scale
    scene: null, // the scene of the story
    exhibit: null, // the scene beside the plane, with its data
    step: 0, // its round
    token: "",
    asked: 0, // number of the latest choice
    wanted: false, // whether its recording is still to be asked for
    busy: false, // whether a request is under way
  };
  let panels = [];

  const minus = (text) => text.replaceAll("-", "−");
  const brief = (v) => minus(String(Number(v.toFixed(3))));
  const number = (v) => (typeof v !== "number" ? v ?? "–" : minus(Math.abs(v) >= 0.0005 || v === 0 ? v.toFixed(3) : v.toExponential(1)));
  const side = (k) => (k === 0 ? "first" : "second");
  const lastRound = () => Math.max(0, ...state.runs.map((run) => run.rounds));

  // A rule as the page writes it: x₁ for x[0], and a true minus.
  const written = (rule) => minus(rule.replaceAll("x[0]", "x₁").replaceAll("x[1]", "x₂"));

  // A tie counts as a vote for the first class, as the error counts it.
  const isWrong = (label, margin) => (label ? margin <= 0 : margin < 0);

  // What the rule of round s + 1 answers at a place.
  function answer(run, s, [x, y]) {
    if (run.lines) return Math.sign(run.lines[s][0] * x + run.lines[s][1] * y + run.lines[s][2]);
    for (const [left, bottom, right, top, , value] of run.boxes[s]) {
      const inside = (left === null || x > left) && (right === null || x <= right)
        && (bottom === null || y > bottom) && (top === null || y <= top);
      if (inside) return value;
    }
    return 0;
  }

  // The vote of each rule so far at a place, with its sign: coefficient times answer.
  function votesAt(run, t, place) {
    const given = run.coefficients[within(t, 1, run.rounds) - 1] ?? run.coefficients[0];
    return Array.from({ length: within(t, 0, run.rounds) }, (_, s) => given[s] * answer(run, s, place));
  }

  // The points learnt from, then those held out.
  function pointAt(i) {
    const { points, labels, held, flipped, order } = state.recording.scene;
    const n = points.length;
    return i < n
      ? { at: points[i], label: labels[i], flipped: flipped.includes(i), held: false, position: order[i] }
      : { at: held.points[i - n], label: held.labels[i - n], flipped: false, held: true, position: order[i] };
  }

  const countOfPoints = () => state.recording.scene.points.length + state.recording.scene.held.points.length;

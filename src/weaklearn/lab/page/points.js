
  // ---------------------------------------------------------------- points: pick, drag, add, delete
  // A set that is touched becomes one's own, on a plane from 0 to SPAN: trees and stumps only
  // compare, so nothing but the numbers on the axes changes.

  const SPAN = 10;
  const NEAR = 18; // pixels from a point that still hit it
  const isOwn = () => state.tables !== null && $("data").value === "own";
  const tool = () => (state.tables === null ? "look" : document.querySelector("input[name=tool]:checked").value);
  const copied = (own) => own.map((point) => ({ ...point }));

  function useTool(name) {
    document.querySelector(`input[name=tool][value="${name}"]`).checked = true;
    arrange(panels.length);
  }

  function remember() {
    state.past.push({ own: copied(state.own), data: $("data").value });
    if (state.past.length > 200) state.past.shift();
  }

  function undo() {
    const before = state.past.pop();
    if (!before) return;
    state.own = before.own;
    $("data").value = before.data;
    showFields();
    changed();
  }

  function takeOver() {
    if (isOwn()) return;
    const { low, high } = state.recording.scene;
    const at = (v, k) => Number(within(((v - low[k]) / (high[k] - low[k])) * SPAN, 0, SPAN).toFixed(4));
    state.own = [];
    for (let i = 0; i < countOfPoints(); i++) {
      const { at: [x, y], label, flipped, position } = pointAt(i);
      state.own[position] = { x: at(x, 0), y: at(y, 1), label: flipped ? 1 - label : label, flipped };
    }
    $("data").value = "own";
    showFields();
  }

  // The points as they lie in the picture: from 0 to SPAN both ways, in the order of the set.
  function spots() {
    if (isOwn()) return state.own.map(({ x, y }) => [x, y]);
    const { low, high } = state.recording.scene;
    const found = [];
    for (let i = 0; i < countOfPoints(); i++) {
      const { at, position } = pointAt(i);
      found[position] = at.map((v, k) => ((v - low[k]) / (high[k] - low[k])) * SPAN);
    }
    return found;
  }

  // The position of the point nearest to a place; null where none is near.
  function nearest([x, y], size, reach = NEAR) {
    let [best, least] = [null, (reach / size) * SPAN];
    spots().forEach(([a, b], position) => {
      const far = Math.hypot(a - x, b - y);
      if (far <= least) [best, least] = [position, far];
    });
    return best;
  }

  const indexOf = (position) => {
    const found = state.recording.scene.order.indexOf(position);
    return found < 0 ? null : found;
  };

  function addPoint([x, y], label) {
    if (state.tables === null) return;
    if ((isOwn() ? state.own.length : countOfPoints()) >= state.tables.most) {
      say(`There are ${state.tables.most} points already: delete some.`);
      return;
    }
    remember();
    takeOver();
    const inside = (v) => Number(within(v, 0, SPAN).toFixed(2));
    state.own.push({ x: inside(x), y: inside(y), label, flipped: false });
    for (const { canvas } of panels) { // seen at once, before any run on it
      const size = canvas.clientWidth;
      drawPoint(canvas.getContext("2d"), (inside(x) / SPAN) * size, size - (inside(y) / SPAN) * size, 7 * scale(size), label, false, false);
    }
    changed();
  }

  function deletePoint(position) {
    if (position === null || state.tables === null) return;
    remember();
    takeOver();
    state.own.splice(position, 1);
    state.picked = null;
    changed();
  }

  function flipPoint(position) {
    if (position === null || state.tables === null) return;
    takeOver();
    state.own[position].flipped = !state.own[position].flipped;
    changed();
  }

  function movePoint(position, [x, y]) {
    const inside = (v) => Number(within(v, 0, SPAN).toFixed(2));
    Object.assign(state.own[position], { x: inside(x), y: inside(y) });
    const { low, high, points, held } = state.recording.scene;
    const i = indexOf(position);
    if (i !== null) { // the picture follows at once
      const at = [x, y].map((v, k) => low[k] + (within(v, 0, SPAN) / SPAN) * (high[k] - low[k]));
      if (i < points.length) points[i] = at;
      else held.points[i - points.length] = at;
      redraw();
    }
    changed();
  }

  function changed() {
    pause();
    leaveScene();
    if (!isOwn()) { ask(); return; }
    const labels = new Set(state.own.map((point) => (point.flipped ? 1 - point.label : point.label)));
    if (labels.size === 2) { ask(); return; }
    state.asked++; // whatever is under way is of yesterday
    state.wanted = false;
    say("");
    showPointsOnly();
  }

  // Until there are two classes there is no run: the points alone, all of one size.
  function showPointsOnly() {
    const n = state.own.length;
    const scene = {
      points: state.own.map(({ x, y }) => [x, y]), labels: state.own.map((p) => (p.flipped ? 1 - p.label : p.label)),
      flipped: state.own.flatMap((p, i) => (p.flipped ? [i] : [])), held: { points: [], labels: [] }, order: state.own.map((_, i) => i),
      classes: ["−1", "+1"], axes: ["x₁", "x₂"], low: [0, 0], high: [SPAN, SPAN],
    };
    const run = { name: "Your own points", summary: "add points of both classes", rounds: 0, weights: [new Float32Array(n).fill(1 / Math.max(n, 1))], notes: "", test_error: [] };
    Object.assign(state, { recording: { scene, runs: [], code: "" }, runs: [run], t: 0, picked: null });
    arrange(1);
    for (const id of ["transport", "votes", "charts", "code"]) $(id).hidden = true;
    panels[0].show(run, 0);
    panels[0].tell(".rule", "Add points of both classes to start.");
    noteAddress();
  }

  // ------------------------------------------------------------------------ the pointer and the keys

  function act(place, size, other) {
    const name = tool();
    const hit = nearest(place, size);
    if (name === "delete") deletePoint(hit);
    else if (name === "flip") { if (hit !== null) { remember(); flipPoint(hit); } }
    else if (name === "look") pick(hit === null ? null : indexOf(hit));
    else addPoint(place, other ? 1 - Number(name) : Number(name));
  }

  function listenToPlane({ canvas }) {
    let [held, from, moved, stroke] = [null, null, false, null]; // held: the position of the point held
    const where = (event) => {
      const box = canvas.getBoundingClientRect();
      return [((event.clientX - box.left) / box.width) * SPAN, (1 - (event.clientY - box.top) / box.height) * SPAN];
    };
    const brush = (event) => {
      const hit = nearest(where(event), canvas.clientWidth);
      if (hit === null || stroke.has(hit)) return;
      stroke.add(hit);
      flipPoint(hit);
    };
    canvas.addEventListener("pointerdown", (event) => {
      moved = false;
      if (event.button !== 0 || state.tables === null) return;
      from = [event.clientX, event.clientY];
      if (tool() === "look") held = nearest(where(event), canvas.clientWidth);
      if (tool() === "flip") { stroke = new Set(); remember(); brush(event); }
      if (held !== null || stroke) canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (stroke) { brush(event); return; }
      if (held === null) { lookAt(where(event)); return; }
      if (!moved && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 5) return;
      if (!moved) { remember(); takeOver(); moved = true; }
      movePoint(held, where(event));
    });
    const release = () => {
      if (stroke) {
        if (stroke.size === 0) state.past.pop();
        moved = true;
      }
      [held, stroke] = [null, null];
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => lookAt(null));
    canvas.addEventListener("touchstart", (event) => { // a finger on a point drags it, elsewhere it scrolls
      if (state.tables !== null && event.touches.length === 1 && (tool() === "flip" || nearest(where(event.touches[0]), canvas.clientWidth) !== null) && tool() !== "delete") event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("touchend", (event) => { // what was kept from scrolling is no click any more
      if (event.cancelable && !moved && tool() === "look" && event.changedTouches.length === 1) act(where(event.changedTouches[0]), canvas.clientWidth, false);
    });
    canvas.addEventListener("click", (event) => {
      if (moved) { moved = false; return; }
      act(where(event), canvas.clientWidth, event.shiftKey);
    });
    canvas.addEventListener("keydown", (event) => keyInPlane(event, canvas));
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, redraw);
  }

  let looking = 0;
  function lookAt(place) {
    const { low, high } = state.recording.scene;
    state.place = place && place.map((v, k) => low[k] + (v / SPAN) * (high[k] - low[k]));
    cancelAnimationFrame(looking);
    looking = requestAnimationFrame(() => { if (!$("votes").hidden) showVotes(); });
  }

  // With the keyboard in the plane arrows move a cross; a click leaves the arrows to the rounds.
  function keyInPlane(event, canvas) {
    if (tool() === "look" && !canvas.matches(":focus-visible")) return;
    const far = (event.shiftKey ? 0.1 : 0.02) * SPAN;
    const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    state.cursor ??= [SPAN / 2, SPAN / 2];
    if (moves[event.key]) {
      state.cursor = state.cursor.map((v, k) => within(v + moves[event.key][k], 0, SPAN));
      lookAt(state.cursor);
      redraw();
    } else if (event.key === "Enter") act(state.cursor, canvas.clientWidth, event.shiftKey);
    else if (event.key === "Delete" || event.key === "Backspace") deletePoint(nearest(state.cursor, canvas.clientWidth));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

// The page of the lab: it requests recordings from the server, or contains one, and shows their rounds.
// Texts reach the page as text nodes alone; nothing here builds markup from strings.
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
    own: [], // points of one's own: [x, y, 0 or 1]
    cursor: null, // where the keyboard would put one
    token: "",
    asked: 0, // number of the latest choice
    wanted: false, // whether its recording is still to be asked for
    busy: false, // whether a request is under way
  };

  // ------------------------------------------------------------------------------- numbers packed

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  async function rowsOfFloats(text, n) {
    const view = new DataView((await unpacked(text)).buffer);
    const rows = [];
    for (let at = 0; at < view.byteLength; at += 4 * n) {
      rows.push(Float32Array.from({ length: n }, (_, k) => view.getFloat32(at + 4 * k, true)));
    }
    return rows;
  }

  async function rowsOfSteps(text, n) {
    const steps = await unpacked(text);
    for (let k = n; k < steps.length; k++) steps[k] = steps[k] + steps[k - n]; // modulo 256
    const rows = [];
    for (let at = 0; at < steps.length; at += n) rows.push(steps.subarray(at, at + n));
    return rows;
  }

  async function opened(run, m) {
    const cells = (run.across.length - 1) * (run.up.length - 1);
    return {
      ...run,
      weights: await rowsOfFloats(run.weights, m),
      margins: await rowsOfFloats(run.margins, m),
      regions: await rowsOfSteps(run.regions, cells),
      edges: run.epsilon.map((e) => (e === null ? null : 0.5 - e)),
    };
  }

  // ------------------------------------------------------------------------------------ the plane

  let colours = {};
  function readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["card", "ink", "minus", "plus", "minus-rgb", "plus-rgb"]) {
      colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  class Panel {
    constructor(place) {
      const root = $("panel").content.firstElementChild.cloneNode(true);
      root.classList.add(place);
      $("stage").append(root);
      this.root = root;
      this.canvas = root.querySelector("canvas");
      this.radii = null; // as drawn last
      this.frame = 0;
      this.run = null;
    }

    tell(selector, text) {
      this.root.querySelector(selector).textContent = text;
    }

    show(run, t) {
      this.run = run;
      const k = within(t, 0, run.rounds) - 1;
      this.tell(".name", run.name);
      this.tell(".rule", k < 0 ? `Before the first round: ${run.summary}.` : spoken(run.rule[k]));
      this.tell(".epsilon", number(k < 0 ? null : run.epsilon[k]));
      this.tell(".alpha", number(k < 0 ? null : run.alpha[k]));
      this.tell(".error", number(k < 0 ? null : run.error[k]));
      this.tell(".bound", k >= 0 && run.bound[k] === null ? "none" : number(k < 0 ? null : run.bound[k]));
      this.tell(".notes", t >= run.rounds ? run.notes : "");
      this.canvas.setAttribute("aria-label", k < 0
        ? `${run.name}: the points before the first round`
        : `${run.name}, round ${k + 1}: ${run.rule[k]}; training error ${number(run.error[k])}`);
      this.move(k);
    }

    // Points grow and shrink to their new sizes in a moment, unless somebody prefers stillness.
    move(k) {
      const aim = radii(this.run, k);
      const from = this.radii && this.radii.length === aim.length ? this.radii : aim;
      cancelAnimationFrame(this.frame);
      if (still.matches || from === aim) {
        this.radii = aim;
        this.draw(k, aim);
        return;
      }
      const began = performance.now();
      const step = (now) => {
        const share = within((now - began) / 220, 0, 1);
        const eased = share * (2 - share);
        this.radii = aim.map((r, i) => from[i] + (r - from[i]) * eased);
        this.draw(k, this.radii);
        if (share < 1) this.frame = requestAnimationFrame(step);
      };
      this.draw(k, from);
      this.frame = requestAnimationFrame(step);
    }

    draw(k, sizes) {
      const [pen, size] = sheet(this.canvas);
      const { scene } = state.recording;
      const x = (v) => ((v - scene.low[0]) / (scene.high[0] - scene.low[0])) * size;
      const y = (v) => size - ((v - scene.low[1]) / (scene.high[1] - scene.low[1])) * size;
      if (k >= 0) {
        drawRegions(pen, this.run, this.run.regions[k], x, y);
        drawRule(pen, this.run.boxes[k], x, y, size);
      }
      drawAxes(pen, scene.axes, size);
      const margins = k < 0 ? null : this.run.margins[k];
      const order = sizes.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a]); // large ones behind
      for (const i of order) {
        const [a, b] = scene.points[i];
        drawPoint(pen, x(a), y(b), sizes[i] * scale(size), scene.labels[i], k >= 0 && isWrong(scene.labels[i], margins[i]));
      }
      if (drawing()) drawCursor(pen, x, y);
    }
  }

  // A tie counts as a vote for the first class, as the error counts it.
  const isWrong = (label, margin) => (label ? margin <= 0 : margin < 0);

  const scale = (size) => within(size / 480, 0.5, 1.25);

  function sheet(canvas) {
    const size = Math.max(canvas.clientWidth, 40);
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(size * ratio)) {
      canvas.width = canvas.height = Math.round(size * ratio);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, size, size);
    return [pen, size];
  }

  // Areas stand for weights: a point of average weight has the basic size.
  function radii(run, k) {
    const D = run.weights[Math.max(k, 0)];
    const base = within(75 / Math.sqrt(D.length), 4.2, 11);
    return Array.from(D, (d) => base * within(Math.sqrt(d * D.length), 0.35, 3.6));
  }

  function drawRegions(pen, run, levels, x, y) {
    const { across, up } = run;
    const w = across.length - 1;
    for (let j = 0; j < up.length - 1; j++) {
      const top = y(up[j + 1]);
      const height = y(up[j]) - top;
      for (let i = 0; i < w; ) {
        const level = levels[j * w + i];
        let end = i + 1;
        while (end < w && levels[j * w + end] === level) end++;
        if (level !== 128) {
          const rgb = colours[level > 128 ? "plus-rgb" : "minus-rgb"];
          pen.fillStyle = `rgba(${rgb}, ${0.1 + (0.28 * Math.abs(level - 128)) / 127})`;
          pen.fillRect(x(across[i]), top, x(across[end]) - x(across[i]), height);
        }
        i = end;
      }
    }
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.2;
    pen.beginPath();
    const side = (i, j) => Math.sign(levels[j * w + i] - 128);
    for (let j = 0; j < up.length - 1; j++) {
      for (let i = 0; i < w; i++) {
        if (i > 0 && side(i, j) !== side(i - 1, j)) line(pen, x(across[i]), y(up[j]), x(across[i]), y(up[j + 1]));
        if (j > 0 && side(i, j) !== side(i, j - 1)) line(pen, x(across[i]), y(up[j]), x(across[i + 1]), y(up[j]));
      }
    }
    pen.stroke();
  }

  function line(pen, x0, y0, x1, y1) {
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
  }

  // On each side of a cut runs a band in the colour of the answer there.
  function drawRule(pen, boxes, x, y, size) {
    const band = 5 * scale(size) + 1;
    const edge = (v, map, none) => (v === null ? none : map(v));
    for (const [left, bottom, right, top, says] of boxes) {
      const x0 = edge(left, x, 0), x1 = edge(right, x, size);
      const y0 = edge(top, y, 0), y1 = edge(bottom, y, size);
      pen.fillStyle = colours[says ? "plus" : "minus"];
      if (left !== null) pen.fillRect(x0, y0, Math.min(band, x1 - x0), y1 - y0);
      if (right !== null) pen.fillRect(Math.max(x1 - band, x0), y0, Math.min(band, x1 - x0), y1 - y0);
      if (bottom !== null) pen.fillRect(x0, Math.max(y1 - band, y0), x1 - x0, Math.min(band, y1 - y0));
      if (top !== null) pen.fillRect(x0, y0, x1 - x0, Math.min(band, y1 - y0));
    }
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 2;
    pen.beginPath();
    for (const [left, bottom, right, top] of boxes) {
      const x0 = edge(left, x, 0), x1 = edge(right, x, size);
      const y0 = edge(top, y, 0), y1 = edge(bottom, y, size);
      if (left !== null) line(pen, x0, y0, x0, y1);
      if (bottom !== null) line(pen, x0, y1, x1, y1);
    }
    pen.stroke();
  }

  function drawPoint(pen, x, y, r, label, wrong) {
    pen.fillStyle = colours[label ? "plus" : "minus"];
    pen.strokeStyle = colours.card;
    pen.lineWidth = 1;
    shape(pen, x, y, r, label);
    pen.fill();
    pen.stroke();
    if (wrong) {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 2;
      shape(pen, x, y, r + 3, true);
      pen.stroke();
    }
  }

  function shape(pen, x, y, r, round) {
    pen.beginPath();
    if (round) pen.arc(x, y, r, 0, 2 * Math.PI);
    else pen.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
  }

  // The names of the axes in two corners, on paper, so that they can be read over anything.
  function drawAxes(pen, [across, up], size) {
    const high = 12 + 6 * scale(size);
    pen.font = `${high - 6}px system-ui, sans-serif`;
    const note = (text, left, top) => {
      const width = pen.measureText(text).width + 8;
      const from = left ? left - width : 0;
      pen.globalAlpha = 0.8;
      pen.fillStyle = colours.card;
      pen.fillRect(from, top, width, high);
      pen.globalAlpha = 1;
      pen.fillStyle = colours.ink;
      pen.fillText(text, from + 4, top + high - 5);
    };
    note(`${shortened(across)} →`, size, size - high);
    note(`↑ ${shortened(up)}`, 0, 0);
  }

  const shortened = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

  function drawCursor(pen, x, y) {
    if (state.cursor === null || !document.activeElement || document.activeElement.tagName !== "CANVAS") return;
    const [a, b] = state.cursor;
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.5;
    pen.beginPath();
    line(pen, x(a) - 9, y(b), x(a) + 9, y(b));
    line(pen, x(a), y(b) - 9, x(a), y(b) + 9);
    pen.stroke();
  }

  // ----------------------------------------------------------------------------------- the charts

  function svg(name, attributes, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  class Chart {
    constructor(host, { x, y, label, under, whole = false }) {
      this.host = host;
      this.width = Math.max(host.clientWidth, 160);
      this.height = 204;
      this.pad = { left: 34, right: 10, top: 10, bottom: 38 };
      [this.x0, this.x1] = x;
      [this.y0, this.y1] = y;
      this.root = svg("svg", { viewBox: `0 0 ${this.width} ${this.height}`, height: this.height, role: "img", "aria-label": label });
      this.frame(whole, under);
    }

    x(v) {
      const { left, right } = this.pad;
      return left + ((v - this.x0) / (this.x1 - this.x0 || 1)) * (this.width - left - right);
    }

    y(v) {
      const { top, bottom } = this.pad;
      return this.height - bottom - ((v - this.y0) / (this.y1 - this.y0 || 1)) * (this.height - top - bottom);
    }

    line(kind, x0, y0, x1, y1) {
      this.root.append(svg("line", { class: kind, x1: x0, y1: y0, x2: x1, y2: y1 }));
    }

    text(x, y, anchor, what) {
      this.root.append(svg("text", { x, y, "text-anchor": anchor }, what));
    }

    frame(whole, under) {
      const left = this.pad.left, right = this.width - this.pad.right, floor = this.height - this.pad.bottom;
      for (const v of ticks(this.y0, this.y1, 4)) {
        this.line(v === 0 ? "axis" : "grid", left, this.y(v), right, this.y(v));
        this.text(left - 6, this.y(v) + 4, "end", brief(v));
      }
      for (const v of ticks(this.x0, this.x1, 5, whole)) this.text(this.x(v), floor + 16, "middle", brief(v));
      this.text((left + right) / 2, floor + 32, "middle", under);
    }

    curve(kind, points) {
      let path = "";
      let lifted = true;
      for (const [a, b] of points) {
        if (b === null) { lifted = true; continue; }
        path += `${lifted ? "M" : "L"}${this.x(a).toFixed(1)} ${this.y(within(b, this.y0, this.y1)).toFixed(1)}`;
        lifted = false;
      }
      if (path) this.root.append(svg("path", { class: `curve ${kind}`, d: path }));
    }

    dot(kind, a, b) {
      if (b !== null) this.root.append(svg("circle", { class: kind, cx: this.x(a), cy: this.y(within(b, this.y0, this.y1)), r: 3.5 }));
    }

    now(t) {
      this.line("now", this.x(t), this.pad.top, this.x(t), this.height - this.pad.bottom);
    }

    put() {
      this.host.replaceChildren(this.root);
    }
  }

  function ticks(low, high, about, whole = false) {
    const raw = (high - low) / about || 1;
    const power = 10 ** Math.floor(Math.log10(raw));
    let step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= raw - 1e-12);
    if (whole) step = Math.max(1, Math.round(step));
    const found = [];
    for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + 1e-9; v += step) found.push(Math.abs(v) < 1e-12 ? 0 : v);
    return found;
  }

  const brief = (v) => String(Number(v.toFixed(3))).replace("-", "−");
  const place = (k) => (k === 0 ? "first" : "second");

  function drawCharts() {
    const { runs, t } = state;
    const T = Math.max(...runs.map((run) => run.rounds));
    const known = (list) => list.filter((v) => v !== null);

    const worst = Math.max(0.1, ...runs.flatMap((g) => known([...g.error, ...g.bound]).map((v) => Math.min(v, 1))));
    const errors = new Chart($("errors"), { x: [0, T], y: [0, Math.ceil(worst * 10) / 10], label: chartLabel("error"), under: "round", whole: true });
    const edges = new Chart($("edges"), { x: [0, T], y: edgeRange(runs, known), label: chartLabel("edges"), under: "round", whole: true });
    runs.forEach((run, k) => {
      const upTo = (list) => list.slice(0, t).map((v, i) => [i + 1, v]);
      const after = (list) => list.map((v, i) => [i + 1, v]).slice(Math.max(t - 1, 0));
      const now = within(t, 0, run.rounds);
      for (const [chart, list, kind] of [[errors, run.bound, "bound"], [errors, run.error, ""], [edges, run.edges, ""]]) {
        chart.curve(`${place(k)} ${kind} ahead`, after(list));
        chart.curve(`${place(k)} ${kind}`, upTo(list));
        if (now > 0) chart.dot(place(k), now, list[now - 1]);
      }
    });
    const margins = new Chart($("margins"), { x: [-1, 1], y: [0, 1], label: "Cumulative distribution of the margins", under: "margin" });
    margins.line("axis", margins.x(0), margins.pad.top, margins.x(0), margins.height - margins.pad.bottom);
    runs.forEach((run, k) => {
      const now = within(t, 0, run.rounds);
      if (now > 0) margins.curve(place(k), stairs(run.margins[now - 1]));
    });
    for (const chart of [errors, edges]) if (t > 0) chart.now(t);
    for (const chart of [errors, edges, margins]) chart.put();
  }

  function chartLabel(what) {
    const now = state.runs.map((g) => `${g.name} ${number(g[what][within(state.t, 1, g.rounds) - 1])}`);
    return `${what === "error" ? "Training error" : "Edge"} by round; now: ${now.join(", ")}`;
  }

  function edgeRange(runs, known) {
    const all = runs.flatMap((run) => known(run.edges));
    return [Math.min(0, Math.floor(10 * Math.min(0, ...all)) / 10), Math.max(0.1, Math.ceil(10 * Math.max(0, ...all)) / 10)];
  }

  // The share of margins up to each value, as a staircase.
  function stairs(margins) {
    const sorted = Float32Array.from(margins).sort();
    const points = [[-1, 0]];
    sorted.forEach((v, i) => {
      const at = within(v, -1, 1);
      points.push([at, i / sorted.length], [at, (i + 1) / sorted.length]);
    });
    points.push([1, 1]);
    return points;
  }

  // ---------------------------------------------------------------------------------- showing all

  const number = (v) => (typeof v !== "number" ? v ?? "–" : Math.abs(v) >= 0.0005 || v === 0 ? v.toFixed(3).replace("-", "−") : v.toExponential(1).replace("-", "−"));
  const spoken = (rule) => `Rule: ${rule}`;
  let panels = [];

  function show() {
    if (!state.recording) return;
    const T = lastRound();
    state.t = within(state.t, 0, T);
    panels.forEach((panel, k) => panel.show(state.runs[k], state.t));
    drawCharts();
    $("round").max = T;
    $("round").value = state.t;
    $("round").setAttribute("aria-valuetext", `round ${state.t} of ${T}`);
    $("where").setAttribute("aria-live", state.timer ? "off" : "polite");
    $("where").textContent = `Round ${state.t} / ${T}`;
    $("start").disabled = $("back").disabled = state.t === 0;
    $("forth").disabled = state.t === T;
  }

  const lastRound = () => Math.max(0, ...state.runs.map((run) => run.rounds));

  async function put(recording, wanted = () => true) {
    const runs = await Promise.all(recording.runs.map((run) => opened(run, recording.scene.points.length)));
    if (!wanted()) return; // something else was chosen meanwhile
    Object.assign(state, { recording, runs });
    arrange(runs.length);
    recording.scene.classes.forEach((name, k) => { $(`class-${k}`).textContent = `class ${name}`; });
    $("python").textContent = recording.code;
    for (const id of ["legend", "transport", "charts", "code"]) $(id).hidden = false;
    show();
  }

  function arrange(n) {
    $("stage").classList.toggle("two", n === 2);
    if (panels.length !== n) {
      $("stage").replaceChildren();
      panels = Array.from({ length: n }, (_, k) => new Panel(place(k)));
      panels.forEach((panel) => listenToPlane(panel));
    }
    for (const { canvas } of panels) {
      canvas.classList.toggle("drawing", drawing());
      canvas.setAttribute("role", drawing() ? "application" : "img");
      if (drawing()) canvas.tabIndex = 0;
      else canvas.removeAttribute("tabindex");
    }
  }

  function go(t) {
    state.t = within(t, 0, lastRound());
    show();
  }

  function pause() {
    clearTimeout(state.timer);
    state.timer = 0;
    $("play").textContent = "Play";
  }

  function play() {
    if (state.t >= lastRound()) go(0);
    $("play").textContent = "Pause";
    const tick = () => {
      go(state.t + 1);
      if (state.t >= lastRound()) pause();
      else state.timer = setTimeout(tick, Number($("speed").value));
    };
    state.timer = setTimeout(tick, Math.min(350, Number($("speed").value)));
  }

  const toggle = () => (state.timer ? pause() : play());

  // ------------------------------------------------------------------------------ points of one's own

  const drawing = () => state.tables !== null && $("data").value === "own";
  const pen = () => Number(document.querySelector("input[name=pen]:checked").value);

  function addPoint(x, y, label) {
    if (state.own.length >= state.tables.most) {
      say(`There are ${state.tables.most} points already: undo some.`);
      return;
    }
    const inside = (v) => Number(within(v, 0, state.tables.span).toFixed(2));
    state.own.push([inside(x), inside(y), label]);
    panels.forEach(({ canvas }) => dab(canvas, inside(x), inside(y), label));
    ownChanged();
  }

  // A new point is seen at once, before any run on it.
  function dab(canvas, x, y, label) {
    const size = canvas.clientWidth;
    const at = (v) => (v / state.tables.span) * size;
    drawPoint(canvas.getContext("2d"), at(x), size - at(y), 7 * scale(size), label, false);
  }

  function ownChanged() {
    pause();
    const labels = new Set(state.own.map((point) => point[2]));
    if (labels.size === 2) {
      ask();
      return;
    }
    state.asked++; // whatever is under way is of yesterday
    state.wanted = false;
    say("");
    showPointsOnly();
  }

  // Until there are two classes there is no run: the points alone, all of one size.
  function showPointsOnly() {
    const { span } = state.tables;
    const n = state.own.length;
    const recording = {
      scene: { points: state.own.map(([x, y]) => [x, y]), labels: state.own.map((p) => p[2]), classes: ["−1", "+1"], axes: ["x[0]", "x[1]"], low: [0, 0], high: [span, span] },
      runs: [], code: "",
    };
    const run = { name: "Your own points", summary: "add points of both classes", rounds: 0, weights: [new Float32Array(n).fill(1 / Math.max(n, 1))], notes: "" };
    Object.assign(state, { recording, runs: [run], t: 0 });
    arrange(1);
    for (const id of ["transport", "charts", "code"]) $(id).hidden = true;
    panels[0].show(run, 0);
    panels[0].tell(".rule", "Add points of both classes to start.");
  }

  function listenToPlane({ canvas }) {
    const where = (event) => {
      const box = canvas.getBoundingClientRect();
      const { span } = state.tables;
      return [((event.clientX - box.left) / box.width) * span, (1 - (event.clientY - box.top) / box.height) * span];
    };
    canvas.addEventListener("click", (event) => {
      if (drawing()) addPoint(...where(event), event.shiftKey ? 1 - pen() : pen());
    });
    canvas.addEventListener("keydown", (event) => {
      if (!drawing()) return;
      const { span } = state.tables;
      const far = (event.shiftKey ? 0.1 : 0.02) * span;
      const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
      state.cursor ??= [span / 2, span / 2];
      if (moves[event.key]) {
        state.cursor = state.cursor.map((v, k) => within(v + moves[event.key][k], 0, span));
        redraw();
      } else if (event.key === "Enter") addPoint(...state.cursor, event.shiftKey ? 1 - pen() : pen());
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => drawing() && redraw());
  }

  function redraw() {
    panels.forEach((panel) => {
      if (!panel.run) return;
      cancelAnimationFrame(panel.frame);
      const k = within(state.t, 0, panel.run.rounds) - 1;
      panel.radii = radii(panel.run, k);
      panel.draw(k, panel.radii);
    });
  }

  // ------------------------------------------------------------------------------------ the server

  function say(text) {
    $("message").textContent = text;
    $("message").hidden = text === "";
  }

  function chosen() {
    const second = $("second").value;
    const asked = {
      data: $("data").value,
      n: Number($("points").value),
      noise: Number($("noise").value),
      seed: Number($("seed").value),
      rounds: Number($("rounds").value),
      learner: $("learner").value,
      boosters: second ? [$("first").value, second] : [$("first").value],
      settings: second ? [turned("first"), turned("second")] : [turned("first")],
    };
    if (asked.data === "own") asked.points = state.own.map(([x, y, label]) => [x, y, label ? 1 : -1]);
    return asked;
  }

  // What the fields of a booster hold; an empty one leaves the choice to the booster.
  function turned(side) {
    const fields = [...$(`knobs-${side}`).querySelectorAll("input")];
    return Object.fromEntries(fields.map((field) => [field.name, field.value === "" ? null : Number(field.value)]));
  }

  // The fields of the booster that is chosen, made anew only when it is another one.
  function fitKnobs(side) {
    const host = $(`knobs-${side}`);
    const key = $(side).value;
    if (host.dataset.booster === key) return;
    host.dataset.booster = key;
    const knobs = state.tables.knobs[key] || [];
    const legend = document.createElement("legend");
    legend.textContent = $(side).selectedOptions[0].textContent;
    host.replaceChildren(legend, ...knobs.map(knobField));
    host.hidden = knobs.length === 0;
  }

  function knobField({ name, label: text, least, most, first }) {
    const field = document.createElement("input");
    Object.assign(field, {
      type: "number", name, min: least, max: most, step: "any", value: first ?? "", required: first !== null,
      placeholder: first === null ? "auto" : "", title: `${name}: between ${least} and ${most}${first === null ? ", or empty for the booster's own choice" : ""}`,
    });
    field.inputMode = "decimal";
    const label = document.createElement("label");
    label.append(text, field);
    return label;
  }

  async function send(path, body) {
    const options = { headers: { "X-Weaklearn-Token": state.token }, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" };
    if (body !== undefined) {
      options.method = "POST";
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    let response;
    try {
      response = await fetch(path, options);
    } catch {
      throw new Error("The lab does not answer: is it still running in the terminal?");
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(sentence(answer.error || `the lab answered ${response.status}.`));
    return answer;
  }

  // What begins with the name of a field keeps it as it is spelt.
  const sentence = (text) => (/^\w+=/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

  // One request at a time: what is chosen while one is under way is asked for after it, and only the
  // latest choice. Whoever puts points sees at once what the vote makes of them; other runs begin at
  // their beginning.
  async function ask() {
    pause();
    state.asked++;
    state.wanted = true;
    if (state.busy) return;
    state.busy = true;
    document.body.setAttribute("aria-busy", "true");
    while (state.wanted) {
      state.wanted = false;
      const mine = state.asked;
      try {
        const recording = await send("recording", chosen());
        if (mine !== state.asked) continue;
        say("");
        state.t = drawing() ? state.t || Infinity : 0;
        await put(recording, () => mine === state.asked);
      } catch (error) {
        if (mine === state.asked) say(error.message);
      }
    }
    state.busy = false;
    document.body.removeAttribute("aria-busy");
  }

  let waiting = 0;
  function choose() {
    const scene = state.tables.data.find(([key]) => key === $("data").value);
    $("own").hidden = !drawing();
    $("points").disabled = !scene[2];
    fitKnobs("first");
    fitKnobs("second");
    $("noise-shown").textContent = `${Math.round(100 * Number($("noise").value))} %`;
    clearTimeout(waiting);
    const wrong = [...$("choices").querySelectorAll("input")].find((field) => !field.checkValidity());
    if (wrong) {
      pause();
      if (wrong.closest("details")) wrong.closest("details").open = true;
      say(`${named(wrong)}: a ${wrong.step === "any" ? "number" : "whole number"} between ${wrong.min} and ${wrong.max}, please.`);
      return;
    }
    waiting = setTimeout(() => (drawing() ? ownChanged() : ask()), 150);
  }

  // What a field is called on the page.
  function named(field) {
    const text = field.labels[0].textContent.trim();
    const group = field.closest("fieldset");
    return group ? `${group.firstChild.textContent}, ${text}` : text;
  }

  function fill(tables) {
    state.tables = tables;
    const options = (id, rows) => $(id).replaceChildren(...rows.map(([key, name]) => new Option(name, key)));
    options("data", tables.data);
    options("learner", tables.learners);
    options("first", tables.boosters);
    options("second", [["", "nothing"], ...tables.boosters]);
    for (const [id, name] of [["points", "n"], ["noise", "noise"], ["seed", "seed"], ["rounds", "rounds"]]) {
      const range = tables.ranges[name];
      $(id).min = range.least;
      $(id).max = range.most;
      $(id).value = range.first;
    }
    $("data").value = tables.first.data;
    $("first").value = tables.first.boosters[0];
    $("choices").hidden = false;
    $("choices").addEventListener("input", choose);
    $("choices").addEventListener("submit", (event) => event.preventDefault());
    $("undo").addEventListener("click", () => { state.own.pop(); ownChanged(); });
    $("clear").addEventListener("click", () => { state.own = []; ownChanged(); });
  }

  // The token stands behind # in the address: it is taken from there, and the address is cleaned.
  function takeToken() {
    const found = new URLSearchParams(location.hash.slice(1)).get("token");
    if (found) {
      sessionStorage.setItem("weaklearn-token", found);
      history.replaceState(null, "", location.pathname);
    }
    state.token = found || sessionStorage.getItem("weaklearn-token") || "";
  }

  async function save() {
    try {
      const { page } = await send("page", chosen());
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
      link.download = "run.html";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      $("copied").textContent = "Saved as run.html.";
    } catch (error) {
      $("copied").textContent = error.message;
    }
  }

  async function copy() {
    const text = $("python").textContent;
    try {
      await navigator.clipboard.writeText(text);
      $("copied").textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren($("python"));
      $("copied").textContent = "Selected: copy it with Ctrl-C.";
    }
  }

  // ------------------------------------------------------------------------------------ beginning

  function listen() {
    $("start").addEventListener("click", () => { pause(); go(0); });
    $("back").addEventListener("click", () => { pause(); go(state.t - 1); });
    $("forth").addEventListener("click", () => { pause(); go(state.t + 1); });
    $("play").addEventListener("click", toggle);
    $("round").addEventListener("input", () => { pause(); go(Number($("round").value)); });
    $("copy").addEventListener("click", copy);
    $("save").addEventListener("click", save);
    const keys = {
      ArrowLeft: () => { pause(); go(state.t - 1); },
      ArrowRight: () => { pause(); go(state.t + 1); },
      Home: () => { pause(); go(0); },
      End: () => { pause(); go(lastRound()); },
      " ": toggle,
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !state.recording || $("transport").hidden) return;
      const at = event.target.tagName;
      if (["SELECT", "TEXTAREA", "PRE"].includes(at)) return;
      if (at === "INPUT" && (event.target.id !== "round" || event.key !== " ")) return;
      if (event.key === " " && ["BUTTON", "SUMMARY"].includes(at)) return;
      if (keys[event.key]) {
        keys[event.key]();
        event.preventDefault();
      }
    });
    dark.addEventListener("change", () => { readColours(); if (state.recording) redraw(); });
    new ResizeObserver(() => { if (state.recording) { redraw(); if (!$("charts").hidden) drawCharts(); } }).observe($("stage"));
  }

  async function begin() {
    readColours();
    listen();
    const kept = $("recording");
    if (kept) {
      const recording = JSON.parse(kept.textContent);
      $("title").textContent = recording.title;
      $("lead").textContent = recording.lead;
      $("save").hidden = true;
      await put(recording);
      return;
    }
    takeToken();
    fill(await send("tables"));
    choose();
  }

  begin().catch((error) => say(sentence(error.message)));
})();

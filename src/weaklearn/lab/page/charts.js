
  // ----------------------------------------------------------------------------------- the charts

  function svg(name, attributes, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  class Chart {
    constructor(host, { x, y, label, under, whole = false, logarithmic = false }) {
      this.host = host;
      this.width = Math.max(host.clientWidth, 160);
      this.height = document.body.classList.contains("large") ? 280 : 204;
      const wide = document.body.classList.contains("large") ? 1.5 : 1;
      this.pad = { left: 38 * wide, right: 10, top: 10, bottom: 38 * wide, wide };
      [this.x0, this.x1] = x;
      [this.y0, this.y1] = y;
      this.logarithmic = logarithmic;
      this.root = svg("svg", { viewBox: `0 0 ${this.width} ${this.height}`, height: this.height, role: "img", "aria-label": label });
      this.frame(whole, under);
    }

    x(v) {
      const { left, right } = this.pad;
      return left + ((v - this.x0) / (this.x1 - this.x0 || 1)) * (this.width - left - right);
    }

    y(v) {
      const { top, bottom } = this.pad;
      const at = (u) => (this.logarithmic ? Math.log10(Math.max(u, this.y0)) : u);
      const share = (at(v) - at(this.y0)) / (at(this.y1) - at(this.y0) || 1);
      return this.height - bottom - share * (this.height - top - bottom);
    }

    line(kind, x0, y0, x1, y1) {
      this.root.append(svg("line", { class: kind, x1: x0, y1: y0, x2: x1, y2: y1 }));
    }

    text(x, y, anchor, what) {
      this.root.append(svg("text", { x, y, "text-anchor": anchor }, what));
    }

    frame(whole, under) {
      const { wide } = this.pad;
      const left = this.pad.left, right = this.width - this.pad.right, floor = this.height - this.pad.bottom;
      const levels = this.logarithmic ? decades(this.y0, this.y1) : ticks(this.y0, this.y1, 4);
      for (const v of levels) {
        this.line(v === 0 ? "axis" : "grid", left, this.y(v), right, this.y(v));
        this.text(left - 6, this.y(v) + 4, "end", this.logarithmic ? String(v) : brief(v));
      }
      for (const v of ticks(this.x0, this.x1, 5, whole)) this.text(this.x(v), floor + 16 * wide, "middle", brief(v));
      this.text((left + right) / 2, floor + 32 * wide, "middle", under);
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

  function decades(low, high) {
    const found = [];
    for (let k = Math.ceil(Math.log10(low) - 1e-9); 10 ** k <= high * 1.001; k++) found.push(Number((10 ** k).toPrecision(1)));
    return found;
  }

  function drawCharts() {
    const { runs, t } = state;
    const T = Math.max(...runs.map((run) => run.rounds));
    const known = (list) => list.filter((v) => v !== null);
    const errors = new Chart($("errors"), { x: [0, T], ...errorScale(runs, known), label: chartLabel("error"), under: "round", whole: true });
    const edges = new Chart($("edges"), { x: [0, T], y: edgeRange(runs, known), label: chartLabel("edges"), under: "round", whole: true });
    runs.forEach((run, k) => {
      const upTo = (list) => list.slice(0, t).map((v, i) => [i + 1, v]);
      const after = (list) => list.map((v, i) => [i + 1, v]).slice(Math.max(t - 1, 0));
      const now = within(t, 0, run.rounds);
      const lines = [[errors, run.bound, "bound"], [errors, run.test_error, "tested"], [errors, run.error, ""], [edges, run.edges, ""]];
      for (const [chart, list, kind] of lines) {
        chart.curve(`${side(k)} ${kind} ahead`, after(list));
        chart.curve(`${side(k)} ${kind}`, upTo(list));
        if (now > 0) chart.dot(side(k), now, list[now - 1]);
      }
    });
    for (const chart of [errors, edges]) {
      if (t > 0) chart.now(t);
      chart.put();
    }
    drawMargins();
    runs.forEach((run, k) => drawFlow(run, k));
  }

  // From 0 up to what is largest, or in powers of ten down to half of one error.
  function errorScale(runs, known) {
    const all = runs.flatMap((run) => known([...run.error, ...run.bound, ...run.test_error]).map((v) => Math.min(v, 1)));
    const worst = Math.ceil(Math.max(0.1, ...all) * 10) / 10;
    const m = Math.max(state.recording.scene.points.length, 1);
    return state.logarithmic ? { y: [0.5 / m, 1], logarithmic: true } : { y: [0, worst] };
  }

  function drawMargins() {
    const margins = new Chart($("margins"), { x: [-1, 1], y: [0, 1], label: "Cumulative distribution of the margins", under: "margin" });
    margins.line("axis", margins.x(0), margins.pad.top, margins.x(0), margins.height - margins.pad.bottom);
    state.runs.forEach((run, k) => {
      const now = within(state.t, 0, run.rounds);
      if (now === 0) return;
      margins.curve(side(k), stairs(run.margins[now - 1]));
      if (state.picked !== null && state.picked < run.margins[0].length) {
        const at = within(run.margins[now - 1][state.picked], -1, 1);
        margins.line(`picked ${side(k)}`, margins.x(at), margins.pad.top, margins.x(at), margins.height - margins.pad.bottom);
      }
    });
    margins.put();
  }

  function chartLabel(what) {
    const now = state.runs.map((run) => {
      const k = within(state.t, 1, run.rounds) - 1;
      const test = what === "error" && run.test_error[k] !== null ? `, test error ${number(run.test_error[k])}` : "";
      return `${run.name} ${number(run[what][k])}${test}`;
    });
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

  // The weights as they flow from round to round: one band a point, class −1 below, those that are
  // wrong in the round full in colour, the others pale. The rounds to come are paler still.
  function drawFlow(run, k) {
    const host = $("flows");
    while (host.children.length < state.runs.length) host.append(document.createElement("canvas"));
    while (host.children.length > state.runs.length) host.lastChild.remove();
    const canvas = host.children[k];
    const high = (document.body.classList.contains("large") ? 250 : 166) / state.runs.length;
    const [pen, width] = sheet(canvas, canvas.clientWidth, high);
    const { labels } = state.recording.scene;
    const order = labels.map((_, i) => i).sort((a, b) => labels[a] - labels[b] || a - b);
    const step = width / Math.max(run.rounds, 1);
    for (let t = 0; t < run.rounds; t++) {
      let floor = high;
      pen.globalAlpha = t < state.t ? 1 : 0.3;
      for (const i of order) {
        const tall = run.weights[t][i] * high;
        const wrong = t > 0 && isWrong(labels[i], run.margins[t - 1][i]);
        const rgb = colours[labels[i] ? "plus-rgb" : "minus-rgb"];
        pen.fillStyle = state.picked === i ? colours.ink : `rgba(${rgb}, ${wrong ? 0.95 : i % 2 ? 0.5 : 0.38})`;
        pen.fillRect(t * step, floor - tall, step + 0.4, tall);
        floor -= tall;
      }
    }
    pen.globalAlpha = 1;
    if (state.t > 0) {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 1.5;
      pen.beginPath();
      const at = (within(state.t, 1, run.rounds) - 0.5) * step;
      line(pen, at, 0, at, high);
      pen.stroke();
    }
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${run.name}: the weights of the points by round`);
  }


  // ------------------------------------------------------------------------------------ the plane
  // Everything is drawn by a pen: that of a canvas, or one that writes SVG.

  let colours = {};
  function readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["card", "ink", "soft", "minus", "plus", "minus-rgb", "plus-rgb", "accent"]) {
      colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  const scale = (size) => within(size / 480, 0.5, 1.9);

  // Maps between numbers and the pixels of a square.
  function maps(size) {
    const { low, high } = state.recording.scene;
    return {
      x: (v) => ((v - low[0]) / (high[0] - low[0])) * size,
      y: (v) => size - ((v - low[1]) / (high[1] - low[1])) * size,
    };
  }

  // Areas stand for weights: a point of average weight has the basic size.
  function radii(run, k) {
    const D = run.weights[Math.max(k, 0)];
    const base = within(75 / Math.sqrt(D.length), 4.2, 11);
    return Array.from(D, (d) => base * within(Math.sqrt(d * D.length), 0.35, 3.6));
  }

  // The plane after round k + 1, with points of the given sizes.
  function drawPlane(pen, size, run, k, sizes) {
    const { scene } = state.recording;
    const { x, y } = maps(size);
    if (k >= 0) {
      drawRegions(pen, run, run.regions[k], x, y);
      if (run.lines) drawLine(pen, run.lines[k], x, y, size);
      else drawRule(pen, run.boxes[k], x, y, size);
    }
    drawAxes(pen, scene.axes, size);
    const zoom = scale(size);
    const small = within(60 / Math.sqrt(countOfPoints()), 3, 7) * zoom;
    scene.held.points.forEach(([a, b], i) => drawHeld(pen, x(a), y(b), small, scene.held.labels[i]));
    const margins = k < 0 ? null : run.margins[k];
    const order = sizes.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a]); // large ones behind
    const flipped = new Set(scene.flipped);
    for (const i of order) {
      if (flipped.has(i) && state.hidden) continue;
      const [a, b] = scene.points[i];
      const wrong = k >= 0 && isWrong(scene.labels[i], margins[i]);
      drawPoint(pen, x(a), y(b), sizes[i] * zoom, scene.labels[i], wrong, flipped.has(i));
    }
    if (state.picked !== null && state.picked < countOfPoints()) {
      const [a, b] = pointAt(state.picked).at;
      const r = state.picked < sizes.length ? sizes[state.picked] * zoom : small;
      pen.strokeStyle = colours.accent;
      pen.lineWidth = 3;
      shape(pen, x(a), y(b), r + 7, false);
      pen.stroke();
    }
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
    const sign = (i, j) => Math.sign(levels[j * w + i] - 128);
    for (let j = 0; j < up.length - 1; j++) {
      for (let i = 0; i < w; i++) {
        if (i > 0 && sign(i, j) !== sign(i - 1, j)) line(pen, x(across[i]), y(up[j]), x(across[i]), y(up[j + 1]));
        if (j > 0 && sign(i, j) !== sign(i, j - 1)) line(pen, x(across[i]), y(up[j]), x(across[i + 1]), y(up[j]));
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
    const drawn = boxes.map(([left, bottom, right, top, says]) => ({
      x0: edge(left, x, 0), x1: edge(right, x, size), y0: edge(top, y, 0), y1: edge(bottom, y, size),
      left, bottom, right, top, says,
    }));
    for (const { x0, x1, y0, y1, left, bottom, right, top, says } of drawn) {
      pen.fillStyle = colours[says ? "plus" : "minus"];
      if (left !== null) pen.fillRect(x0, y0, Math.min(band, x1 - x0), y1 - y0);
      if (right !== null) pen.fillRect(Math.max(x1 - band, x0), y0, Math.min(band, x1 - x0), y1 - y0);
      if (bottom !== null) pen.fillRect(x0, Math.max(y1 - band, y0), x1 - x0, Math.min(band, y1 - y0));
      if (top !== null) pen.fillRect(x0, y0, x1 - x0, Math.min(band, y1 - y0));
    }
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 2;
    pen.beginPath();
    for (const { x0, x1, y0, y1, left, bottom } of drawn) {
      if (left !== null) line(pen, x0, y0, x0, y1);
      if (bottom !== null) line(pen, x0, y1, x1, y1);
    }
    pen.stroke();
  }

  // The line a x₁ + b x₂ + c = 0 through the plane, with a band on each side.
  function drawLine(pen, [a, b, c], x, y, size) {
    const { low, high } = state.recording.scene;
    const ends = [];
    for (const v of [low[0], high[0]]) if (b !== 0) ends.push([x(v), y(-(a * v + c) / b)]);
    if (b === 0 && a !== 0) ends.push([x(-c / a), 0], [x(-c / a), size]);
    if (ends.length < 2 || ends.flat().some((v) => !Number.isFinite(v))) return;
    const [[x0, y0], [x1, y1]] = ends;
    const long = Math.hypot(x1 - x0, y1 - y0) || 1;
    const band = 4 * scale(size) + 1;
    const [dx, dy] = [(-(y1 - y0) / long) * band, ((x1 - x0) / long) * band];
    const up = a * ((high[0] - low[0]) / size) * dx - b * ((high[1] - low[1]) / size) * dy > 0; // which side is +1
    for (const [way, label] of [[1, up], [-1, !up]]) {
      pen.strokeStyle = colours[label ? "plus" : "minus"];
      pen.lineWidth = band;
      pen.beginPath();
      line(pen, x0 + (way * dx) / 2, y0 + (way * dy) / 2, x1 + (way * dx) / 2, y1 + (way * dy) / 2);
      pen.stroke();
    }
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 2;
    pen.beginPath();
    line(pen, x0, y0, x1, y1);
    pen.stroke();
  }

  function drawPoint(pen, x, y, r, label, wrong, flipped) {
    pen.fillStyle = colours[label ? "plus" : "minus"];
    pen.strokeStyle = colours.card;
    pen.lineWidth = 1;
    shape(pen, x, y, r, !label);
    pen.fill();
    pen.stroke();
    if (flipped) { // a cross in it
      pen.strokeStyle = colours.card;
      pen.lineWidth = 2;
      pen.beginPath();
      line(pen, x - 0.5 * r, y - 0.5 * r, x + 0.5 * r, y + 0.5 * r);
      line(pen, x - 0.5 * r, y + 0.5 * r, x + 0.5 * r, y - 0.5 * r);
      pen.stroke();
    }
    if (wrong) {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 2;
      shape(pen, x, y, r + 3, true);
      pen.stroke();
    }
  }

  // Points held out are hollow, and all of one size: they have no weight.
  function drawHeld(pen, x, y, r, label) {
    pen.strokeStyle = colours[label ? "plus" : "minus"];
    pen.lineWidth = 1.8;
    shape(pen, x, y, r, !label);
    pen.stroke();
  }

  // Class −1 is a circle and +1 a square, as in every picture of the library.
  function shape(pen, x, y, r, round) {
    pen.beginPath();
    if (round) pen.arc(x, y, r, 0, 2 * Math.PI);
    else pen.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
  }

  // The names of the axes in two corners, on paper, so that they can be read over anything.
  function drawAxes(pen, [across, up], size) {
    const high = 14 + 6 * scale(size);
    pen.font = `${high - 6}px system-ui, sans-serif`;
    const note = (text, left, top) => {
      const width = pen.measureText(text).width + 8;
      const from = left ? left - width : 0;
      pen.globalAlpha = 0.8;
      pen.fillStyle = colours.card;
      pen.fillRect(from, top, width, high);
      pen.globalAlpha = 1;
      pen.fillStyle = colours.ink;
      pen.fillText(text, from + 4, top + high - 6);
    };
    note(`${shortened(across)} →`, size, size - high);
    note(`↑ ${shortened(up)}`, 0, 0);
  }

  const shortened = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

  function drawCursor(pen, size) {
    const [a, b] = [(state.cursor[0] / SPAN) * size, size - (state.cursor[1] / SPAN) * size];
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 1.5;
    pen.beginPath();
    line(pen, a - 9, b, a + 9, b);
    line(pen, a, b - 9, a, b + 9);
    pen.stroke();
  }


  // --------------------------------------------------------------- pictures and animations to take away

  // Writes SVG where a canvas would draw: the few strokes that the plane is made of.
  class SvgPen {
    constructor(size) {
      this.root = svg("svg", { viewBox: `0 0 ${size} ${size}`, width: size, height: size });
      this.globalAlpha = 1;
      this.measure = document.createElement("canvas").getContext("2d");
    }

    put(name, attributes, ...children) {
      const opacity = this.globalAlpha < 1 ? { opacity: this.globalAlpha } : {};
      this.root.append(svg(name, { ...attributes, ...opacity }, ...children));
    }

    fillRect(x, y, width, height) {
      this.put("rect", { x, y, width: Math.max(width, 0), height: Math.max(height, 0), fill: this.fillStyle });
    }

    beginPath() { this.path = ""; }
    moveTo(x, y) { this.path += `M${x.toFixed(2)} ${y.toFixed(2)}`; }
    lineTo(x, y) { this.path += `L${x.toFixed(2)} ${y.toFixed(2)}`; }
    arc(x, y, r) { this.path += `M${(x - r).toFixed(2)} ${y.toFixed(2)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`; }
    rect(x, y, w, h) { this.path += `M${x.toFixed(2)} ${y.toFixed(2)}h${w}v${h}h${-w}z`; }
    fill() { this.put("path", { d: this.path, fill: this.fillStyle }); }
    stroke() { this.put("path", { d: this.path, fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth }); }

    measureText(text) {
      this.measure.font = this.font;
      return this.measure.measureText(text);
    }

    fillText(text, x, y) {
      const [size] = this.font.split("px");
      this.put("text", { x, y, fill: this.fillStyle, "font-size": size, "font-family": "system-ui, sans-serif" }, text);
    }
  }

  const PICTURE = 720; // pixels of an exported plane

  function drawExported(pen, run, t) {
    pen.fillStyle = colours.card;
    pen.fillRect(0, 0, PICTURE, PICTURE);
    const k = within(t, 0, run.rounds) - 1;
    drawPlane(pen, PICTURE, run, k, radii(run, k));
  }

  function download(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    $("copied").textContent = `Saved as ${name}.`;
  }

  function svgPicture() {
    const root = svg("svg", { viewBox: `0 0 ${PICTURE * state.runs.length} ${PICTURE}`, width: PICTURE * state.runs.length, height: PICTURE });
    state.runs.forEach((run, k) => {
      const pen = new SvgPen(PICTURE);
      pen.root.setAttribute("x", k * PICTURE);
      drawExported(pen, run, state.t);
      root.append(pen.root);
    });
    return new XMLSerializer().serializeToString(root);
  }

  // Both runs side by side, as they are after round t.
  function framed(t) {
    const canvas = Object.assign(document.createElement("canvas"), { width: PICTURE * state.runs.length, height: PICTURE });
    const pen = canvas.getContext("2d");
    state.runs.forEach((run, k) => {
      pen.setTransform(1, 0, 0, 1, k * PICTURE, 0);
      drawExported(pen, run, t);
    });
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  }

  // --------------------------------------------------------------------------------- animated PNG
  // The frames' own compressed pixels, between chunks that say how long each is shown.

  const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
  });

  function crc(bytes) {
    let c = 0xffffffff;
    for (const byte of bytes) c = TABLE[(c ^ byte) & 0xff] ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
  }

  function chunk(name, data) {
    const bytes = new Uint8Array(data.length + 12);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, data.length);
    bytes.set(Array.from(name, (c) => c.charCodeAt(0)), 4);
    bytes.set(data, 8);
    view.setUint32(data.length + 8, crc(bytes.subarray(4, data.length + 8)));
    return bytes;
  }

  function chunksOf(bytes) {
    const view = new DataView(bytes.buffer);
    const found = [];
    for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
      const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
      found.push([name, bytes.subarray(at + 8, at + 8 + view.getUint32(at))]);
    }
    return found;
  }

  function words(...values) { // big-endian: [value, bytes]
    const bytes = [];
    for (const [value, size] of values) for (let k = size - 1; k >= 0; k--) bytes.push((value >>> (8 * k)) & 0xff);
    return Uint8Array.from(bytes);
  }

  async function animation(rounds, milliseconds) {
    const parts = [Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10])];
    let number = 0;
    for (const [k, t] of rounds.entries()) {
      const chunks = chunksOf(new Uint8Array(await (await framed(t)).arrayBuffer()));
      const header = chunks.find(([name]) => name === "IHDR")[1];
      const view = new DataView(header.buffer, header.byteOffset);
      if (k === 0) parts.push(chunk("IHDR", header), chunk("acTL", words([rounds.length, 4], [0, 4])));
      const long = k === rounds.length - 1 ? 2000 : milliseconds;
      parts.push(chunk("fcTL", words([number++, 4], [view.getUint32(0), 4], [view.getUint32(4), 4], [0, 4], [0, 4], [long, 2], [1000, 2], [0, 1], [0, 1])));
      for (const [name, data] of chunks) {
        if (name !== "IDAT") continue;
        parts.push(k === 0 ? chunk("IDAT", data) : chunk("fdAT", Uint8Array.from([...words([number++, 4]), ...data])));
      }
    }
    parts.push(chunk("IEND", new Uint8Array(0)));
    return new Blob(parts, { type: "image/png" });
  }

  async function takePicture(kind) {
    if (!state.recording) return;
    if (kind === "svg") download("plane.svg", new Blob([svgPicture()], { type: "image/svg+xml" }));
    else if (kind === "png") download("plane.png", await framed(state.t));
    else {
      const rounds = Array.from({ length: Math.min(lastRound(), 60) + 1 }, (_, t) => t);
      $("copied").textContent = "Drawing the rounds …";
      download("rounds.png", await animation(rounds, Number($("speed").value)));
    }
  }

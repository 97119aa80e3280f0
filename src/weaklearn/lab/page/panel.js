
  // ------------------------------------------------------------------------------- one run's panel

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
      const now = (list) => number(k < 0 ? null : list[k]);
      this.tell(".name", run.name);
      this.tell(".rule", k < 0 ? `Before the first round: ${run.summary}.` : `Rule: ${written(run.rule[k])}`);
      this.tell(".epsilon", now(run.epsilon));
      this.tell(".alpha", now(run.alpha));
      this.tell(".error", now(run.error));
      this.tell(".bound", k >= 0 && run.bound[k] === null ? "none" : now(run.bound));
      this.tell(".test", now(run.test_error));
      this.root.querySelector(".tested").hidden = state.recording.scene.held.points.length === 0;
      this.tell(".notes", t >= run.rounds ? run.notes : "");
      this.canvas.setAttribute("aria-label", k < 0
        ? `${run.name}: the points before the first round`
        : `${run.name}, round ${k + 1}: ${written(run.rule[k])}; training error ${number(run.error[k])}`);
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
        const share = within((now - began) / 260, 0, 1);
        const eased = share * (2 - share);
        this.radii = aim.map((r, i) => from[i] + (r - from[i]) * eased);
        this.draw(k, this.radii);
        if (share < 1) this.frame = requestAnimationFrame(step);
      };
      this.draw(k, from);
      this.frame = requestAnimationFrame(step);
    }

    draw(k, sizes) {
      const [pen, size] = sheet(this.canvas, this.canvas.clientWidth);
      drawPlane(pen, size, this.run, k, sizes);
      if (state.cursor !== null && document.activeElement === this.canvas) drawCursor(pen, size);
    }

    redraw() {
      if (!this.run) return;
      cancelAnimationFrame(this.frame);
      const k = within(state.t, 0, this.run.rounds) - 1;
      this.radii = radii(this.run, k);
      this.draw(k, this.radii);
    }
  }

  function sheet(canvas, width, height = width) {
    const ratio = window.devicePixelRatio || 1;
    const size = Math.max(width, 40);
    const [across, down] = [Math.round(size * ratio), Math.round(height * ratio)];
    if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, size, height);
    return [pen, size];
  }

  const redraw = () => panels.forEach((panel) => panel.redraw());


  // ------------------------------------------------------------- the rules so far, and how they vote

  // Where the votes are looked at: the place under the pointer, else the point that was clicked.
  const looked = () => state.place ?? (state.picked !== null && state.picked < countOfPoints() ? pointAt(state.picked).at : null);

  function showVotes() {
    const host = $("ballots");
    while (host.children.length < state.runs.length) host.append($("ballot").content.firstElementChild.cloneNode(true));
    while (host.children.length > state.runs.length) host.lastChild.remove();
    state.runs.forEach((run, k) => showBallot(host.children[k], run, k));
    $("card").textContent = cardText();
  }

  // One line a rule: its words, its vote, and a bar that falls to the side it votes for.
  function showBallot(root, run, k) {
    const t = within(state.t, 0, run.rounds);
    const place = looked();
    const votes = t > 0 && place ? votesAt(run, t, place) : null;
    const given = run.coefficients[Math.max(t - 1, 0)] ?? run.coefficients[0];
    const sizes = Array.from({ length: t }, (_, s) => Math.abs(given[s]));
    const most = Math.max(...sizes, 1e-12) * (votes ? Math.max(1, ...votes.map((v, s) => Math.abs(v) / (sizes[s] || 1))) : 1);
    root.querySelector(".whose").textContent = run.name;
    root.querySelector(".whose").classList.toggle("second", k === 1);
    const list = root.querySelector("ol");
    while (list.children.length > t) list.lastChild.remove();
    while (list.children.length < t) list.append(ballotLine());
    [...list.children].forEach((item, s) => {
      const [rule, alpha, track] = item.children;
      rule.textContent = written(run.rule[s]);
      alpha.textContent = number(run.alpha[s] === "∞" ? "∞" : given[s]);
      item.classList.toggle("now", s === t - 1);
      lean(track.firstElementChild, votes ? votes[s] / most : null, sizes[s] / most);
    });
    if (list.dataset.t !== String(t)) {
      list.dataset.t = t;
      list.scrollTop = list.scrollHeight;
    }
    const sum = votes ? votes.reduce((a, v) => a + v, 0) : 0;
    const all = votes ? votes.reduce((a, v) => a + Math.abs(v), 0) : 0;
    lean(root.querySelector(".sum i"), votes && all > 0 ? sum / all : null, 0);
    root.querySelector(".sum .says").textContent = sumText(votes, sum);
  }

  function sumText(votes, sum) {
    if (!votes) return state.t === 0 ? "No rule has voted yet." : "Point at a place in the plane, or click a point.";
    const [low, high] = state.recording.scene.classes.map(shortened);
    const total = (sign) => number(votes.reduce((a, v) => a + (Math.sign(v) === sign ? Math.abs(v) : 0), 0));
    const whole = sum > 0 ? `for ${high}` : sum < 0 ? `for ${low}` : "tied";
    return `${low}: ${total(-1)}, ${high}: ${total(1)}; the vote is ${whole}`;
  }

  function ballotLine() {
    const item = document.createElement("li");
    for (const kind of ["words", "size", "track"]) {
      const part = document.createElement("span");
      part.className = kind;
      item.append(part);
    }
    const bar = document.createElement("i");
    bar.setAttribute("aria-hidden", "true");
    item.lastChild.append(bar);
    return item;
  }

  // A bar from the middle to one side; without a place it stands in the middle, as long as its vote.
  function lean(bar, share, size) {
    const long = 50 * Math.min(Math.abs(share ?? size), 1);
    bar.className = share === null ? "none" : share > 0 ? "plus" : "minus";
    bar.style.width = `${share === null ? long : long}%`;
    bar.style.left = `${share === null ? 50 - long / 2 : share > 0 ? 50 : 50 - long}%`;
  }

  // What there is to say of the point that was clicked.
  function cardText() {
    if (state.picked === null || state.picked >= countOfPoints()) {
      return "Click a point to see what it weighs, its margin, and the votes for and against it.";
    }
    const { at, label, flipped, held } = pointAt(state.picked);
    const name = shortened(state.recording.scene.classes[label]);
    const kind = held ? "held out" : flipped ? "learnt from, with its label flipped" : "learnt from";
    const parts = [`Point (${brief(at[0])}, ${brief(at[1])}) of class ${name}, ${kind}.`];
    state.runs.forEach((run) => parts.push(runText(run, at, label, held)));
    return parts.join(" ");
  }

  function runText(run, at, label, held) {
    const t = within(state.t, 0, run.rounds);
    const whose = state.runs.length > 1 ? `${run.name}: ` : "";
    if (t === 0) return `${whose}no rule has voted yet.`;
    const votes = votesAt(run, t, at).map((v) => (label ? v : -v));
    const [pro, contra] = [1, -1].map((sign) => votes.filter((v) => Math.sign(v) === sign));
    const size = (list) => number(list.reduce((a, v) => a + Math.abs(v), 0));
    const all = votes.reduce((a, v) => a + Math.abs(v), 0);
    const margin = held ? votes.reduce((a, v) => a + v, 0) / (all || 1) : run.margins[t - 1][state.picked];
    const D = held ? null : run.weights[t - 1][state.picked];
    const weight = held ? "" : `weight ${number(D)} in round ${t}, ${brief(D * run.weights[0].length)} times the average; `;
    return `${whose}${weight}margin ${number(margin)}; for it ${rules(pro.length)} with ${size(pro)} in sum, against it ${rules(contra.length)} with ${size(contra)}.`;
  }

  const rules = (n) => (n === 1 ? "1 rule" : `${n} rules`);

  function pick(i) {
    state.picked = i;
    state.place = null;
    redraw();
    showVotes();
    if (!$("charts").hidden) drawCharts();
  }

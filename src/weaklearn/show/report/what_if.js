// The what-if panel: the evaluator of the exported model answers to the controls.
(function () {
  const find = (id) => document.getElementById(id);
  const panel = find("what-if-panel");
  if (!panel) { return; }
  const told = JSON.parse(JSON.parse(find("page-data").textContent).what_if);
  const model = evaluator(told.model);
  const places = told.model.columns.map((column) => column.position);
  const fields = told.columns.map((_, k) => panel.querySelector(`[data-lever="${k}"]`));
  const slides = told.columns.map((_, k) => panel.querySelector(`[data-slide="${k}"]`));
  const SHOWN = 8;
  let now = told.starts[0].slice();

  // A value as the evaluator reads it, from a number or a place in the list of a column.
  function read(k, value) {
    const column = told.columns[k];
    if (value === null || column.number) { return value; }
    const found = column.values[value], kind = told.model.columns[k].kind;
    if (kind === "category") { return typeof found === "object" ? BigInt(found.integer) : found; }
    return BigInt(found);
  }
  function row(values) {
    const found = new Array(told.n).fill(null);
    values.forEach((value, k) => { found[places[k]] = read(k, value); });
    return found;
  }
  const minus = (text) => text.replace("-", "−");
  const number = (x) => minus(Number(x.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 }));
  const signed = (x) => (x > 0 ? "+" : "") + minus(String(Number(x.toPrecision(3))));
  const percent = (p) => `${minus(String(Number((100 * p).toPrecision(3))))}\u00a0%`;
  function shown(k, value) {
    if (value === null) { return "missing"; }
    return told.columns[k].number ? number(value) : told.columns[k].texts[value];
  }

  // The class that is predicted, or null; what is said first, and how sure it is.
  function verdict(values) {
    const given = row(values), F = model.scores(given);
    if (told.classes.length === 0) { return { F, code: null, text: number(model.predict(given)), more: "" }; }
    let p = null;
    try { p = model.predictProba(given); } catch (error) { p = null; }  // a vote that was not calibrated
    let code = model.classes.indexOf(model.predict(given));
    const apart = p === null ? F : p;  // of two shares the threshold is on what probabilities differ by
    if (told.threshold !== null) { code = (F.length === 1 ? F[0] : apart[1] - apart[0]) > told.threshold ? 1 : 0; }
    const of = told.positive === null ? code : told.positive;
    const whose = told.positive === null ? "" : ` of ${told.classes[of]}`;
    const more = p === null ? `${told.scale}${whose} ${number(scoreOf(F, of))}` : `probability${whose} ${percent(p[of])}`;
    return { F, code, text: told.classes[code], more };
  }
  // The score of a class, or of a number where code is null; of two classes with one score, that of
  // the first is its negative.
  const scoreOf = (F, code) => (code === null || F.length === 1 ? (code === 0 ? -F[0] : F[0]) : F[code]);

  function cell(name, ...children) {
    const made = document.createElement(name);
    made.append(...children);
    return made;
  }
  function bar(value, most) {
    const made = cell("span"), inside = cell("span");
    made.className = "beam";
    inside.className = value < 0 ? "less" : "more";
    inside.style.width = `${most > 0 ? 50 * Math.abs(value) / most : 0}%`;
    made.append(inside);
    return made;
  }
  function line(name, value, most) {
    const head = cell("th", name);
    head.scope = "row";
    const last = cell("td", signed(value));
    last.className = "n";
    return cell("tr", head, cell("td", bar(value, most)), last);
  }

  function answer() {
    const start = told.starts[0], found = verdict(now), before = verdict(start);
    find("what-if-answer").textContent = found.text;
    const typical = `the typical row: ${before.text}${before.more ? ", " + before.more : ""}`;
    find("what-if-more").textContent = `${found.more ? found.more + "; " : ""}${typical}`;
    const chosen = find("what-if-class");
    let of = told.positive;
    if (chosen) { of = Number(chosen.value) < 0 ? found.code : Number(chosen.value); }
    const reasons = model.reasons(row(now), row(start)).map((F) => scoreOf(F, of));
    const moved = reasons.map((_, k) => k).filter((k) => now[k] !== start[k] || reasons[k] !== 0);
    moved.sort((a, b) => Math.abs(reasons[b]) - Math.abs(reasons[a]) || a - b);
    const most = Math.max(0, ...moved.map((k) => Math.abs(reasons[k])));
    const lines = moved.slice(0, SHOWN).map((k) =>
      line(`${told.columns[k].name}: ${shown(k, now[k])}, not ${shown(k, start[k])}`, reasons[k], most));
    const rest = moved.slice(SHOWN);
    if (rest.length) { lines.push(line(`${rest.length} more`, rest.reduce((sum, k) => sum + reasons[k], 0), most)); }
    find("what-if-reasons").replaceChildren(...lines);
    const score = (F) => number(scoreOf(F, of));
    const name = of === null ? told.scale : `${told.scale} of ${told.classes[of]}`;
    find("what-if-sum").textContent = moved.length === 0
      ? "Nothing is moved yet: reasons are what moves the score away from that of the typical row."
      : `The ${name} is ${score(found.F)}, that of the typical row ${score(before.F)}. The difference is shared out exactly among the columns, as Shapley values.`;
  }

  function settle() {
    now.forEach((value, k) => {
      if (!fields[k]) { return; }
      fields[k].value = value === null ? "" : String(value);
      if (slides[k] && value !== null) { slides[k].value = String(value); }
    });
    answer();
  }
  fields.forEach((field, k) => {
    if (!field) { return; }
    field.addEventListener("input", () => {
      const empty = field.value === "";
      if (empty && told.columns[k].number && field.dataset.gaps === undefined) { return; }
      now[k] = empty ? null : Number(field.value);
      if (slides[k] && !empty) { slides[k].value = field.value; }
      answer();
    });
    if (slides[k]) {
      slides[k].addEventListener("input", () => {
        now[k] = Number(slides[k].value);
        field.value = slides[k].value;
        answer();
      });
    }
  });
  const start = find("what-if-start");
  const again = () => {
    now = told.starts[start ? Number(start.value) : 0].slice();
    settle();
  };
  if (start) { start.addEventListener("change", again); }
  if (find("what-if-class")) { find("what-if-class").addEventListener("change", answer); }
  find("what-if-again").addEventListener("click", again);
  panel.hidden = false;
  settle();
})();

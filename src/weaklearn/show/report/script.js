"use strict";
// What a report answers to: the theme, tables that sort, are searched and taken home, pictures that
// read out what is under the pointer, and two sliders. All texts are set as texts.
(function () {
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const root = document.documentElement;
  const by = (selector, where) => Array.from((where || document).querySelectorAll(selector));
  const find = (id) => document.getElementById(id);

  // ------------------------------------------------------------------------------------- theme
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const now = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  by("[data-switch]").forEach((button) => {
    const tell = () => { button.textContent = now() === "dark" ? "Light" : "Dark"; };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = now() === "dark" ? "light" : "dark";
      tell();
    });
    dark.addEventListener("change", tell);
    tell();
  });

  // ------------------------------------------------------------------------------------ tables
  // Long cells, such as large sets of categories, are folded; what they hold is all of their text.
  document.querySelectorAll("td.long").forEach((cell) => {
    const fold = document.createElement("details"), head = document.createElement("summary");
    const all = document.createElement("div"), says = document.createElement("span");
    [fold.className, all.className, says.className] = ["cell", "inside", "says"];
    all.textContent = cell.textContent;
    says.textContent = cell.textContent.slice(0, 60) + "…";
    head.append(says);
    fold.append(head, all);
    cell.replaceChildren(fold);
  });
  const said = (cell) => (cell.querySelector("details.cell > .inside") || cell).textContent;
  const key = (cell) => (cell.dataset.v !== undefined ? Number(cell.dataset.v) : said(cell));
  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") { return a - b; }
    if (typeof a === "number") { return -1; }
    if (typeof b === "number") { return 1; }
    return a.localeCompare(b, undefined, { numeric: true });
  }
  by("table[data-sorts]").forEach((table) => {
    const heads = by("th", table.tHead);
    heads.forEach((head, j) => {
      head.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const rows = Array.from(table.tBodies[0].rows);
        rows.sort((a, b) => (up ? 1 : -1) * compare(key(a.cells[j]), key(b.cells[j])));
        table.tBodies[0].append(...rows);
      });
    });
  });
  by("[data-filters]").forEach((field) => {
    const table = find(field.dataset.filters);
    const count = document.querySelector(`[data-count="${field.dataset.filters}"]`);
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase();
      const rows = Array.from(table.tBodies[0].rows);
      rows.forEach((row) => { row.hidden = !row.textContent.toLowerCase().includes(words); });
      const left = rows.filter((row) => !row.hidden).length;
      count.textContent = (left < rows.length ? left + " of " : "") + rows.length + " rows";
    });
  });
  // A cell that a spreadsheet would take for a formula gets an apostrophe; all cells are quoted.
  function quoted(text) {
    const number = /^[-+−]?[\d.,]+(e[-+]?\d+)?(\s%)?$/i.test(text);
    const safe = !number && /^[\s]*[=+\-@|]/.test(text) ? "'" + text : text;
    return '"' + safe.replace(/"/g, '""') + '"';
  }
  by("[data-csv]").forEach((button) => {
    button.addEventListener("click", () => {
      const rows = Array.from(find(button.dataset.csv).rows).filter((row) => !row.hidden);
      const lines = rows.map((row) => Array.from(row.cells, (c) => quoted(said(c))).join(","));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([lines.join("\r\n") + "\r\n"], { type: "text/csv" }));
      link.download = button.dataset.file;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  });

  // ---------------------------------------------------------------------------------- pictures
  by("svg[data-chart]").forEach((chart) => {
    const told = data[chart.dataset.chart];
    const line = chart.querySelector(".cursor");
    const out = chart.closest("figure").querySelector(".readout");
    if (!told || !told.x.length) { return; }
    let at = told.x.length - 1;
    const say = (k) => {
      at = Math.min(Math.max(k, 0), told.x.length - 1);
      out.textContent = told.text[at];
      line.setAttribute("x1", told.x[at]);
      line.setAttribute("x2", told.x[at]);
      line.style.visibility = "visible";
    };
    const quiet = () => { line.style.visibility = "hidden"; out.textContent = ""; };
    chart.addEventListener("pointermove", (event) => {
      const box = chart.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * chart.viewBox.baseVal.width;
      let best = 0;
      told.x.forEach((place, k) => {
        if (Math.abs(place - x) < Math.abs(told.x[best] - x)) { best = k; }
      });
      say(best);
    });
    chart.addEventListener("pointerleave", quiet);
    chart.addEventListener("blur", quiet);
    chart.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[event.key];
      if (step === undefined) { return; }
      event.preventDefault();
      say(at + step);
    });
  });

  by("svg[data-map]").forEach((chart) => {
    const told = data[chart.dataset.map];
    const box = chart.querySelector(".cursor");
    const out = chart.closest("figure").querySelector(".readout");
    let at = [0, 0];
    const nearest = (ends, place) => {
      let best = 0;
      const off = (k) => Math.abs((ends[k][0] + ends[k][1]) / 2 - place) - Math.abs(ends[k][1] - ends[k][0]) / 2;
      ends.forEach((_, k) => { if (off(k) < off(best)) { best = k; } });
      return best;
    };
    const say = (i, j) => {
      at = [Math.min(Math.max(i, 0), told.x.length - 1), Math.min(Math.max(j, 0), told.y.length - 1)];
      const [x, y] = [told.x[at[0]], told.y[at[1]]];
      box.setAttribute("x", Math.min(...x));
      box.setAttribute("y", Math.min(...y));
      box.setAttribute("width", Math.abs(x[1] - x[0]));
      box.setAttribute("height", Math.abs(y[1] - y[0]));
      box.style.visibility = "visible";
      out.textContent = `${told.across[at[0]]}, ${told.up[at[1]]}: ${told.text[at[0]][at[1]]}`;
    };
    const quiet = () => { box.style.visibility = "hidden"; out.textContent = ""; };
    chart.addEventListener("pointermove", (event) => {
      const frame = chart.getBoundingClientRect();
      const scale = chart.viewBox.baseVal.width / frame.width;
      say(nearest(told.x, (event.clientX - frame.left) * scale),
        nearest(told.y, (event.clientY - frame.top) * scale));
    });
    chart.addEventListener("pointerleave", quiet);
    chart.addEventListener("blur", quiet);
    chart.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (step === undefined) { return; }
      event.preventDefault();
      say(at[0] + step[0], at[1] + step[1]);
    });
  });

  // ----------------------------------------------------------------------------------- sliders
  function slider(id, show) {
    const field = find(id);
    if (field) { field.addEventListener("input", () => show(Number(field.value))); }
  }
  slider("margin-slider", (k) => {
    find("margin-line").setAttribute("d", data.margins.paths[k]);
    find("margin-words").textContent = data.margins.words[k];
  });
  slider("cut-slider", (k) => {
    const counts = data.cuts.counts[k];
    ["cell-0-0", "cell-0-1", "cell-1-0", "cell-1-1"].forEach((id, j) => {
      find(id).textContent = counts[j].toLocaleString("en");
    });
    find("cut-words").textContent = data.cuts.words[k];
    find("cut-words").classList.remove("hint");
    const point = find("roc-point");
    if (point) {
      point.setAttribute("cx", data.cuts.x[k]);
      point.setAttribute("cy", data.cuts.y[k]);
      point.setAttribute("visibility", "visible");
    }
  });

  // ---------------------------------------------------------------------- contents, and printing
  const links = new Map(by("nav.contents a").map((a) => [a.getAttribute("href").slice(1), a]));
  if ("IntersectionObserver" in window) {
    const watch = new IntersectionObserver((entries) => {
      entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
        links.forEach((a) => a.removeAttribute("aria-current"));
        const link = links.get(entry.target.id);
        if (link) { link.setAttribute("aria-current", "true"); }
      });
    }, { rootMargin: "-20% 0px -70% 0px" });
    by("main > section").forEach((section) => watch.observe(section));
  }
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = by("details:not([open]):not(.quiet *)");
    opened.forEach((fold) => { fold.open = true; });
  });
  window.addEventListener("afterprint", () => opened.forEach((fold) => { fold.open = false; }));
})();


  // ------------------------------------------------------------------------- the state in the address
  // Behind # stands all that was chosen, so that an address shows the same picture again. What comes
  // from there is checked: known names, rows of the tables, numbers in their ranges, few points.

  const LONGEST = 32000; // characters

  function addressed() {
    const found = new URLSearchParams();
    const asked = chosen();
    found.set("data", asked.data);
    for (const [, name] of TURNED) found.set(name, asked[name]);
    found.set("learner", asked.learner);
    found.set("boosters", asked.boosters.join(","));
    asked.settings.forEach((own, k) => {
      const first = Object.fromEntries((state.tables.knobs[asked.boosters[k]] || []).map((knob) => [knob.name, knob.first]));
      for (const [name, value] of Object.entries(own)) if (value !== first[name]) found.set(`${side(k)}.${name}`, value);
    });
    if (asked.points) found.set("points", asked.points.map((point, i) => [...point, ...(state.own[i].flipped ? ["f"] : [])].join("_")).join("~"));
    found.set("t", state.t);
    if (state.scene !== null) found.set("scene", state.scene + 1);
    if (state.logarithmic) found.set("log", 1);
    if (state.exhibit !== null) {
      found.set("view", state.exhibit.name);
      found.set("step", state.step);
    }
    if (document.body.classList.contains("large")) found.set("large", 1);
    return found;
  }

  let noting = 0;
  function noteAddress() {
    if (state.tables === null) return;
    clearTimeout(noting);
    noting = setTimeout(() => {
      if (state.busy) noteAddress(); // what is asked for is not shown yet
      else history.replaceState(null, "", `${location.pathname}#${addressed()}`);
    }, 250);
  }

  const refuse = (text) => { throw new Error(`This address is refused: ${text}.`); };

  function numberIn(found, name, { least, most, whole }) {
    const text = found.get(name);
    const value = /^-?\d{1,6}(\.\d{1,17})?$/.test(text) ? Number(text) : NaN;
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value))) {
      refuse(`${name} must be a ${whole ? "whole " : ""}number between ${least} and ${most}`);
    }
    return value;
  }

  function rowIn(name, value, rows) {
    if (!rows.some(([key]) => key === value)) refuse(`${name} names nothing that can be chosen`);
    return value;
  }

  // The points of an address: x_y_label, or x_y_label_f where the label is flipped, between ~.
  function pointsIn(text) {
    const parts = text === "" ? [] : text.split("~");
    if (parts.length > state.tables.most) refuse(`it holds ${parts.length} points; ${state.tables.most} are allowed`);
    return parts.map((part, k) => {
      const fits = /^(\d{1,2}(?:\.\d{1,17})?)_(\d{1,2}(?:\.\d{1,17})?)_(-?1)(_f)?$/.exec(part);
      if (!fits || Number(fits[1]) > SPAN || Number(fits[2]) > SPAN) refuse(`point ${k + 1} is no point between 0 and ${SPAN} with a label of -1 or 1`);
      return { x: Number(fits[1]), y: Number(fits[2]), label: fits[3] === "1" ? 1 : 0, flipped: fits[4] === "_f" };
    });
  }

  // What an address asks for, all of it checked before any of it is used.
  function readAddress(text) {
    if (text.length > LONGEST) refuse(`it is longer than ${LONGEST} characters`);
    const found = new URLSearchParams(text);
    const { tables } = state;
    const boosters = (found.get("boosters") ?? tables.first.boosters.join()).split(",");
    if (boosters.length > 2) refuse("it names more than two boosters");
    boosters.forEach((name) => rowIn("boosters", name, tables.boosters));
    const wanted = { boosters, fields: {}, settings: [[], []], points: [], t: 0, scene: null };
    const knobs = boosters.map((name) => tables.knobs[name] || []);
    for (const name of new Set(found.keys())) {
      if (found.getAll(name).length > 1) refuse(`${shortened(name)} stands in it twice`);
      const turned = TURNED.find(([, field]) => field === name);
      const [where, knob] = name.split(".");
      if (turned) wanted.fields[turned[0]] = numberIn(found, name, tables.ranges[name]);
      else if (name === "data" || name === "learner") wanted.fields[name] = rowIn(name, found.get(name), name === "data" ? tables.data : tables.learners);
      else if (name === "points") wanted.points = pointsIn(found.get(name));
      else if (name === "t") wanted.t = numberIn(found, name, { least: 0, most: tables.ranges.rounds.most, whole: true });
      else if (name === "scene") wanted.scene = numberIn(found, name, { least: 1, most: STORY.length, whole: true }) - 1;
      else if (name === "view") wanted.view = rowIn(name, found.get(name), Object.keys(EXHIBITS).map((key) => [key]));
      else if (name === "step") wanted.step = numberIn(found, name, { least: 0, most: 1000, whole: true });
      else if (name === "log" || name === "large") wanted[name] = numberIn(found, name, { least: 0, most: 1, whole: true }) === 1;
      else if (["first", "second"].includes(where) && knob !== undefined) {
        const k = where === "first" ? 0 : 1;
        const row = (knobs[k] || []).find((one) => one.name === knob);
        if (!row) refuse(`${shortened(name)} is no setting of its booster`);
        wanted.settings[k].push([knob, numberIn(found, name, row)]);
      } else if (name !== "boosters") refuse(`${shortened(name)} is no part of it`);
    }
    return wanted;
  }

  // What an address leaves out is as it is in the beginning.
  function useAddress(wanted) {
    const { tables } = state;
    Object.assign($("data"), { value: tables.first.data });
    Object.assign($("learner"), { value: tables.first.learner });
    for (const [id, name] of TURNED) $(id).value = tables.ranges[name].first;
    for (const k of [0, 1]) delete $(`knobs-${side(k)}`).dataset.booster;
    for (const [id, value] of Object.entries(wanted.fields)) $(id).value = value;
    $("first").value = wanted.boosters[0];
    $("second").value = wanted.boosters[1] ?? "";
    if (isOwn()) state.own = wanted.points;
    showFields();
    wanted.settings.forEach((list, k) => list.forEach(([name, value]) => { $(`knobs-${side(k)}`).querySelector(`[name="${name}"]`).value = value; }));
    setLogarithmic(wanted.log === true);
    setLarge(wanted.large === true);
    state.picked = null;
    if (isOwn() && new Set(state.own.map((p) => (p.flipped ? 1 - p.label : p.label))).size < 2) { changed(); return; }
    ask(wanted.t);
    if (wanted.scene !== null) showScene(wanted.scene);
    if (wanted.view) {
      $("view").value = wanted.view;
      openExhibit(wanted.view, undefined, wanted.step);
    }
  }

  // The token stands behind # in the address too: it is taken from there, and the address is cleaned.
  function takeToken() {
    const found = new URLSearchParams(location.hash.slice(1, LONGEST));
    const token = found.get("token");
    if (token) {
      sessionStorage.setItem("weaklearn-token", token);
      found.delete("token");
      history.replaceState(null, "", location.pathname + (found.size ? `#${found}` : ""));
    }
    state.token = token || sessionStorage.getItem("weaklearn-token") || "";
  }

  // Opens what the address asks for; a refused one leaves the page as it would be without it.
  function openAddress() {
    const text = location.hash.slice(1);
    try {
      if (text === "") choose();
      else useAddress(readAddress(text));
    } catch (error) {
      history.replaceState(null, "", location.pathname);
      refused = error.message;
      choose();
    }
  }

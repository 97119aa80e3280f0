
  // ------------------------------------------------------------------------------------ the server

  function say(text) {
    $("message").textContent = text;
    $("message").hidden = text === "";
  }

  const TURNED = [["points", "n"], ["noise", "noise"], ["held", "held_out"], ["seed", "seed"], ["rounds", "rounds"]];

  function chosen() {
    const second = $("second").value;
    const asked = {
      data: $("data").value,
      ...Object.fromEntries(TURNED.map(([id, name]) => [name, Number($(id).value)])),
      learner: $("learner").value,
      boosters: second ? [$("first").value, second] : [$("first").value],
      settings: second ? [turned("first"), turned("second")] : [turned("first")],
    };
    if (isOwn()) {
      asked.noise = 0; // points of one's own keep the labels they were given
      asked.points = state.own.map(({ x, y, label }) => [x, y, label ? 1 : -1]);
      asked.flipped = state.own.flatMap(({ flipped }, i) => (flipped ? [i] : []));
    }
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
  // their beginning, or at the round that was asked for.
  let refused = ""; // why the address was not used: shown until something is chosen
  async function ask(round = null) {
    pause();
    state.asked++;
    state.wanted = true;
    state.round = round;
    if (state.busy) return;
    state.busy = true;
    document.body.setAttribute("aria-busy", "true");
    while (state.wanted) {
      state.wanted = false;
      const mine = state.asked;
      try {
        const recording = await send("recording", chosen());
        if (mine !== state.asked) continue;
        say(refused);
        state.t = state.round ?? (isOwn() ? state.t || Infinity : 0);
        await put(recording, () => mine === state.asked);
      } catch (error) {
        if (mine === state.asked) say(error.message);
      }
    }
    state.busy = false;
    document.body.removeAttribute("aria-busy");
  }

  // What the form shows of what is chosen.
  function showFields() {
    const set = state.tables.data.find(([key]) => key === $("data").value);
    $("points").disabled = !set[2];
    $("noise").disabled = isOwn();
    fitKnobs("first");
    fitKnobs("second");
    const percent = (id) => `${Math.round(100 * Number($(id).value))} %`;
    $("noise-shown").textContent = isOwn() ? "by the brush" : percent("noise");
    $("held-shown").textContent = percent("held");
  }

  let waiting = 0;
  function choose(event) {
    if (event) refused = "";
    if (event && event.target.id === "data" && isOwn() && tool() === "look") useTool("1");
    if (event && event.target.id === "data" && !isOwn()) useTool("look");
    leaveScene();
    state.picked = null;
    showFields();
    clearTimeout(waiting);
    const wrong = [...$("choices").querySelectorAll("input")].find((field) => !field.checkValidity());
    if (wrong) {
      pause();
      if (wrong.closest("details")) wrong.closest("details").open = true;
      say(`${named(wrong)}: a ${wrong.step === "any" ? "number" : "whole number"} between ${wrong.min} and ${wrong.max}, please.`);
      return;
    }
    waiting = setTimeout(() => (isOwn() ? changed() : ask()), 150);
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
    for (const [id, name] of TURNED) {
      const range = tables.ranges[name];
      Object.assign($(id), { min: range.least, max: range.most, value: range.first });
    }
    $("data").value = tables.first.data;
    $("first").value = tables.first.boosters[0];
    for (const id of ["choices", "tools", "tell", "share", "viewing"]) $(id).hidden = false;
    $("choices").addEventListener("input", choose);
    $("choices").addEventListener("submit", (event) => event.preventDefault());
    $("tools").addEventListener("change", () => arrange(panels.length));
    $("undo").addEventListener("click", undo);
    $("clear").addEventListener("click", () => {
      remember();
      $("data").value = "own";
      state.own = [];
      useTool("1");
      showFields();
      changed();
    });
  }

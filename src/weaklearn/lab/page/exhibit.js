
  // ------------------------------------------------- scenes that are no plane: Hedge, a face, a message

  const EXHIBITS = {
    hedge: {
      title: "The game of Hedge",
      words: "Eight experts, each wrong now and then; before every round a mixture of them is chosen, after it every weight is multiplied by exp(−η · loss). Step through the rounds: the mixture finds the expert who is wrong least, without being told who it is.",
      theorem: "total loss ≤ (η · min L + ln n) / (1 − exp(−η)), whatever the losses are",
      source: "Chapter 6, boosting as a game",
      steps: (data) => data.total.length,
      draw: drawHedge,
    },
    face: {
      title: "The first features on a face",
      words: "A feature is the sum of the pixels in the white rectangles less that in the black ones; a rule asks whether it is above a threshold. AdaBoost picks one feature a round, here from a hundred small faces and as many other windows. Left the mean face, then seven of the faces, with the features so far over them.",
      theorem: "hₜ(x) = 1 where feature fₜ(x) is above a threshold; the vote adds them up",
      source: "Chapter 11, faces",
      steps: (data) => data.features.length,
      draw: drawFace,
    },
    spam: {
      title: "Rules in a message",
      words: "Forty rules were learnt from 180 short messages: if it contains this word, it is spam, or it is not. Step on, and the rules that speak for something in this message light up one after another, strongest first, while the bar adds them up.",
      theorem: "score = base + Σ of the words' rules;  above 0 it is spam",
      source: "Chapter 12, spam",
      steps: (data) => data.reasons.length,
      draw: drawSpam,
    },
  };

  function element(name, kind, text = "") {
    const node = document.createElement(name);
    if (kind) node.className = kind;
    node.textContent = text;
    return node;
  }

  async function openExhibit(name, text, step = 1) {
    pause();
    if (name === "plane") { closeExhibit(); return; }
    document.body.classList.add("exhibiting");
    leaveScene();
    $("exhibit").hidden = false;
    const shown = EXHIBITS[name];
    $("exhibit-title").textContent = shown.title;
    $("exhibit-words").textContent = shown.words;
    $("exhibit-theorem").textContent = shown.theorem;
    $("exhibit-source").textContent = `Tutorial: ${shown.source}`;
    $("exhibit-stage").replaceChildren();
    $("writing").hidden = name !== "spam";
    state.exhibit = null;
    try {
      const data = await send("recording", text === undefined ? { exhibit: name } : { exhibit: name, text });
      say("");
      if ($("view").value !== name) return;
      state.exhibit = { ...shown, data, name };
      if (name === "spam") {
        $("text").value = data.text;
        $("examples").replaceChildren(...data.examples.map((example) => new Option(example)));
        $("examples").value = data.examples.includes(data.text) ? data.text : data.examples[0];
      }
      $("step").max = shown.steps(data);
      stepTo(text === undefined ? step : shown.steps(data));
    } catch (error) {
      say(error.message);
    }
  }

  function closeExhibit() {
    document.body.classList.remove("exhibiting");
    $("exhibit").hidden = true;
    state.exhibit = null;
    $("view").value = "plane";
    say("");
    if (state.recording) show();
  }

  function stepTo(t) {
    if (!state.exhibit) return;
    const most = state.exhibit.steps(state.exhibit.data);
    state.step = within(t, 0, most);
    $("step").value = state.step;
    $("step-where").textContent = `Round ${state.step} / ${most}`;
    $("step-back").disabled = state.step === 0;
    $("step-forth").disabled = state.step === most;
    state.exhibit.draw($("exhibit-stage"), state.exhibit.data, state.step);
    noteAddress();
  }

  function playSteps() {
    if (state.timer) { pauseSteps(); return; }
    if (state.step >= Number($("step").max)) stepTo(0);
    $("step-play").textContent = "Pause";
    state.timer = setInterval(() => {
      stepTo(state.step + 1);
      if (state.step >= Number($("step").max)) pauseSteps();
    }, still.matches ? 900 : 350);
  }

  function pauseSteps() {
    clearInterval(state.timer);
    state.timer = 0;
    $("step-play").textContent = "Play";
  }

  // A bar for each expert's weight in the mixture; right or wrong in the last round; the totals.
  function drawHedge(host, data, t) {
    if (!host.firstChild) {
      const list = element("div", "experts");
      data.names.forEach((name) => {
        const row = element("div", "expert");
        row.append(element("span", "name", name), element("span", "lane"), element("span", "share"), element("span", "verdict"));
        row.children[1].append(document.createElement("i"));
        list.append(row);
      });
      host.append(list, element("div", "totals"));
    }
    const p = data.p[Math.min(t, data.p.length - 1)];
    [...host.firstChild.children].forEach((row, k) => {
      row.children[1].firstChild.style.width = `${100 * p[k]}%`;
      row.children[2].textContent = p[k].toFixed(3);
      row.children[3].textContent = t === 0 ? "" : data.losses[t - 1][k] ? "wrong" : "right";
      row.classList.toggle("wrong", t > 0 && data.losses[t - 1][k] === 1);
    });
    const T = data.total.length;
    const chart = new Chart(host.lastChild, { x: [0, T], y: [0, Math.max(...data.bound)], label: `Total losses after round ${t}: the mixture ${number(t ? data.total[t - 1] : 0)}, the best expert ${t ? data.best[t - 1] : 0}, the bound ${number(t ? data.bound[t - 1] : data.bound[0])}`, under: "round; solid: the mixture, dotted: the best expert, dashed: the bound", whole: true });
    for (const [kind, list] of [["first bound", data.bound], ["second tested", data.best], ["first", data.total]]) {
      chart.curve(`${kind} ahead`, list.map((v, i) => [i + 1, v]));
      chart.curve(kind, list.slice(0, t).map((v, i) => [i + 1, v]));
      if (t > 0) chart.dot(kind.split(" ")[0], t, list[t - 1]);
    }
    chart.put();
  }

  function drawFace(host, data, t) {
    if (!host.firstChild) {
      const row = element("div", "faces");
      data.faces.forEach(() => row.append(document.createElement("canvas")));
      host.append(row, element("p", "caption"));
    }
    const { size } = data;
    [...host.firstChild.children].forEach((canvas, k) => {
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", k === 0 ? `The mean face with ${t} features` : `Face ${k} with feature ${t}`);
      const [pen, wide] = sheet(canvas, canvas.clientWidth);
      const cell = wide / size;
      data.faces[k].forEach((v, i) => {
        pen.fillStyle = `rgb(${v}, ${v}, ${v})`;
        pen.fillRect((i % size) * cell, Math.floor(i / size) * cell, cell + 0.5, cell + 0.5);
      });
      if (t === 0) return;
      for (const [top, left, height, width, weight] of data.features[t - 1]) {
        pen.globalAlpha = 0.75;
        pen.fillStyle = weight > 0 ? "#ffffff" : "#000000";
        pen.fillRect(left * cell, top * cell, width * cell, height * cell);
        pen.globalAlpha = 1;
      }
      pen.strokeStyle = colours.plus;
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (const [top, left, height, width] of data.features[t - 1]) pen.rect(left * cell, top * cell, width * cell, height * cell);
      pen.stroke();
    });
    host.lastChild.textContent = t === 0 ? "Before the first round."
      : `Feature ${t}: its rule errs on ${number(data.epsilon[t - 1])} of the weight; the vote of ${t === 1 ? "one" : t} errs on ${number(data.error[t - 1])} of the windows.`;
  }

  // The message with the words lit up that rules have spoken for, and the score as it adds up.
  function drawSpam(host, data, t) {
    const spoken = data.reasons.slice(0, t);
    const lit = new Map(spoken);
    const text = element("p", "letter");
    for (const part of data.text.split(/([\p{L}\p{N}']+|[^\p{L}\p{N}'\s])/u)) {
      const by = lit.get(part.toLowerCase());
      if (by === undefined) { text.append(part); continue; }
      const mark = element("mark", by > 0 ? "spam" : "ham", part);
      mark.title = `${by > 0 ? "for spam" : "against it"}: ${number(Math.abs(by))}`;
      text.append(mark);
    }
    const sum = spoken.reduce((a, [, by]) => a + by, data.base);
    const most = data.reasons.reduce((a, [, by]) => a + Math.abs(by), Math.abs(data.base)) || 1;
    const bar = element("span", "track wide");
    bar.append(document.createElement("i"));
    lean(bar.firstChild, sum / most, 0);
    const list = element("ol", "spoken");
    list.append(element("li", "", `without any of them: ${number(data.base)}`));
    for (const [term, by] of spoken) list.append(element("li", by > 0 ? "spam" : "ham", `“${term}”: ${by > 0 ? "+" : ""}${number(by)}`));
    host.replaceChildren(text, bar, element("p", "caption", `Score ${number(sum)}: so far it is ${sum > 0 ? "spam" : "no spam"}.`), list);
  }

  function listenToExhibits() {
    $("view").addEventListener("change", () => openExhibit($("view").value));
    $("step").addEventListener("input", () => { pauseSteps(); stepTo(Number($("step").value)); });
    $("step-back").addEventListener("click", () => { pauseSteps(); stepTo(state.step - 1); });
    $("step-forth").addEventListener("click", () => { pauseSteps(); stepTo(state.step + 1); });
    $("step-play").addEventListener("click", playSteps);
    $("examples").addEventListener("change", () => openExhibit("spam", $("examples").value));
    $("writing").addEventListener("submit", (event) => {
      event.preventDefault();
      openExhibit("spam", $("text").value);
    });
  }

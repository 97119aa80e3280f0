
  // -------------------------------------------------------------------------------- showing a round

  function show() {
    if (!state.recording) return;
    const T = lastRound();
    state.t = within(state.t, 0, T);
    panels.forEach((panel, k) => panel.show(state.runs[k], state.t));
    drawCharts();
    showVotes();
    $("round").max = T;
    $("round").value = state.t;
    $("round").setAttribute("aria-valuetext", `round ${state.t} of ${T}`);
    $("where").setAttribute("aria-live", state.timer ? "off" : "polite");
    $("where").textContent = `Round ${state.t} / ${T}`;
    $("start").disabled = $("back").disabled = state.t === 0;
    $("forth").disabled = state.t === T;
    noteAddress();
  }

  async function put(recording, wanted = () => true) {
    const runs = await Promise.all(recording.runs.map((run) => opened(run, recording.scene.points.length)));
    if (!wanted()) return; // something else was chosen meanwhile
    Object.assign(state, { recording, runs });
    if (state.picked !== null && state.picked >= countOfPoints()) state.picked = null;
    arrange(runs.length);
    recording.scene.classes.forEach((name, k) => { $(`class-${k}`).textContent = `class ${name}`; });
    $("python").textContent = recording.code;
    $("legend-held").hidden = recording.scene.held.points.length === 0;
    $("legend-flipped").hidden = $("hiding").hidden = recording.scene.flipped.length === 0;
    for (const id of ["legend", "transport", "votes", "charts", "code"]) $(id).hidden = false;
    show();
  }

  function arrange(n) {
    $("stage").classList.toggle("two", n === 2);
    if (panels.length !== n) {
      $("stage").replaceChildren();
      panels = Array.from({ length: n }, (_, k) => new Panel(side(k)));
      panels.forEach((panel) => listenToPlane(panel));
    }
    for (const { canvas } of panels) canvas.classList.toggle("drawing", tool() !== "look");
  }

  function go(t) {
    state.t = within(t, 0, lastRound());
    show();
  }

  function pause() {
    clearTimeout(state.timer);
    state.timer = 0;
    $("play").textContent = "Play";
  }

  function play() {
    if (state.t >= lastRound()) go(0);
    $("play").textContent = "Pause";
    const tick = () => {
      go(state.t + 1);
      if (state.t >= lastRound()) pause();
      else state.timer = setTimeout(tick, Number($("speed").value));
    };
    state.timer = setTimeout(tick, Math.min(350, Number($("speed").value)));
  }

  const toggle = () => (state.timer ? pause() : play());


  // ------------------------------------------------------------------------------------ beginning

  async function save() {
    try {
      const { page } = await send("page", chosen());
      download("run.html", new Blob([page], { type: "text/html" }));
    } catch (error) {
      $("copied").textContent = error.message;
    }
  }

  async function copy(text, host) {
    try {
      await navigator.clipboard.writeText(text);
      $("copied").textContent = "Copied.";
    } catch {
      if (host) getSelection().selectAllChildren(host);
      $("copied").textContent = host ? "Selected: copy it with Ctrl-C." : "Copy it from the address bar.";
    }
  }

  function copyAddress() {
    history.replaceState(null, "", `${location.pathname}#${addressed()}`);
    copy(location.href, null);
  }

  function listen() {
    const clicks = {
      start: () => { pause(); go(0); },
      back: () => { pause(); go(state.t - 1); },
      forth: () => { pause(); go(state.t + 1); },
      play: toggle,
      copy: () => copy($("python").textContent, $("python")),
      save,
      link: copyAddress,
      "as-png": () => takePicture("png"),
      "as-svg": () => takePicture("svg"),
      "as-animation": () => takePicture("animation"),
      tell: () => (state.scene === null ? goToScene(0) : closeStory()),
      earlier: () => goToScene(state.scene - 1),
      later: () => goToScene(state.scene + 1),
      leave: closeStory,
      large: () => setLarge(!document.body.classList.contains("large")),
    };
    listenToExhibits();
    for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", act);
    $("round").addEventListener("input", () => { pause(); go(Number($("round").value)); });
    $("log").addEventListener("change", () => setLogarithmic($("log").checked));
    $("hide").addEventListener("change", () => { state.hidden = $("hide").checked; redraw(); });
    document.addEventListener("keydown", keys);
    dark.addEventListener("change", () => { readColours(); if (state.recording) { redraw(); if (!$("charts").hidden) drawCharts(); } });
    new ResizeObserver(() => { if (state.recording) { redraw(); if (!$("charts").hidden) drawCharts(); } }).observe($("stage"));
  }

  const KEYS = {
    ArrowLeft: () => { pause(); go(state.t - 1); },
    ArrowRight: () => { pause(); go(state.t + 1); },
    Home: () => { pause(); go(0); },
    End: () => { pause(); go(lastRound()); },
    " ": toggle,
  };

  function keys(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && state.tables && event.target.tagName !== "INPUT") {
      undo();
      event.preventDefault();
      return;
    }
    if (!$("exhibit").hidden) { keyInExhibit(event); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || !state.recording || $("transport").hidden) return;
    if (event.key === "Escape" && state.scene !== null) { closeStory(); return; }
    const at = event.target.tagName;
    if (["SELECT", "TEXTAREA", "PRE"].includes(at)) return;
    if (at === "INPUT" && (event.target.id !== "round" || event.key !== " ")) return;
    if (event.key === " " && ["BUTTON", "SUMMARY"].includes(at)) return;
    if (KEYS[event.key]) {
      KEYS[event.key]();
      event.preventDefault();
    }
  }

  function keyInExhibit(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (["SELECT", "INPUT"].includes(event.target.tagName) || !move) return;
    pauseSteps();
    stepTo(state.step + move);
    event.preventDefault();
  }

  async function begin() {
    readColours();
    listen();
    const kept = $("recording");
    if (kept) {
      const recording = JSON.parse(kept.textContent);
      $("title").textContent = recording.title;
      $("lead").textContent = recording.lead;
      for (const id of ["save", "link"]) $(id).hidden = true;
      $("share").hidden = false;
      await put(recording);
      return;
    }
    takeToken();
    fill(await send("tables"));
    addEventListener("hashchange", () => { takeToken(); openAddress(); });
    openAddress();
  }

  begin().catch((error) => say(sentence(error.message)));
})();


  // ------------------------------------------------------------------------ a story in ten scenes
  // A scene is an address, words, and a theorem. In the words, [phrase|move] is a button that moves the
  // picture: t=3 goes to a round, play plays, p=7 picks a point, log draws powers of ten, and anything
  // with an & is another address.

  const STORY = [
    {
      title: "A rule of thumb",
      address: "data=toy&rounds=3&t=1",
      words: "Ten points, five of each class. A weak rule asks one question: is a coordinate above a threshold? [The best one|t=1] cuts at x₁ = 2.5 and errs on three points, the ringed ones. [Before it|t=0] all points weigh the same, so its error ε₁ is 3/10. No single cut does better.",
      theorem: "ε₁ = Σ D₁(i) · [h₁(xᵢ) ≠ yᵢ] = 3/10,  α₁ = ½ ln((1 − ε₁)/ε₁) = 0.42",
      source: "Chapter 1, Table 1.1",
    },
    {
      title: "Why the second rule looks there",
      address: "data=toy&rounds=3&t=2",
      words: "After [round 1|t=1] the three points in error gain weight until they weigh as much as the seven others together. Under these weights the first rule is a coin: it has nothing left to say. So [the second rule|t=2] must look where the first was wrong, and cuts on the far side of the three. [Pick one of the three|p=2] and step through the rounds to watch its weight.",
      theorem: "Dₜ₊₁(i) = Dₜ(i) · exp(−αₜ yᵢ hₜ(xᵢ)) / Zₜ,  so the error of hₜ under Dₜ₊₁ is ½",
      source: "Chapter 1, the same in exact fractions",
    },
    {
      title: "Three votes do what none can",
      address: "data=toy&rounds=3&t=3",
      words: "[Three rules|t=3] vote with 0.42, 0.65 and 0.92. No one of them outweighs the other two, so every place goes to the side that two of them take, and all ten points are right. Move the pointer over the plane: the bars fall to the side that each rule votes for.",
      theorem: "H(x) = sign(α₁h₁(x) + α₂h₂(x) + α₃h₃(x))",
      source: "Chapter 1, Figures 1.1 and 1.2",
    },
    {
      title: "Why the error falls like a product",
      address: "data=moons&n=120&rounds=40&t=40&log=1",
      words: "Each round multiplies the bound by Zₜ, which is below 1 whenever the rule is better than a coin. In [powers of ten|log] a product of equal factors would be a straight line: the dashed bound nearly is one. [Play|play] and watch the error stay below it.",
      theorem: "training error ≤ Π Zₜ = Π √(1 − 4γₜ²) ≤ exp(−2 Σ γₜ²),  γₜ = ½ − εₜ",
      source: "Chapter 3, bounds on the training error",
    },
    {
      title: "What a margin is",
      address: "data=moons&n=120&rounds=40&t=20",
      words: "The margin of a point is the share of the votes for its label less the share against it: 1 when all agree, 0 at a tie, below 0 where the vote is wrong. [Pick a point|p=0] and the line in the margins' chart shows where it stands. Compare [round 5|t=5] with [round 40|t=40]: the left end of the curve moves to the right.",
      theorem: "margin(x, y) = y · Σ αₜ hₜ(x) / Σ |αₜ|",
      source: "Chapter 4, margins",
    },
    {
      title: "Why the test error goes on falling",
      address: "data=slope&n=400&held_out=0.5&rounds=200&seed=8&t=25",
      words: "Half of the points are held out (hollow). No training error is left [in round 20|t=20], and yet the test error goes on falling until [the end|t=200]. The training error counts who is right; the margins say how clearly, and they still grow.",
      theorem: "test error ≤ share of margins ≤ θ + O(√(d/m) / θ), whatever the number of rounds",
      source: "Chapter 4, letters: Figures 1.6 and 1.7",
    },
    {
      title: "Who fights for the wrong labels",
      address: "data=moons&n=200&noise=0.12&held_out=0.4&seed=2&rounds=60&boosters=adaboost,brownboost&t=5",
      words: "An eighth of the labels is flipped: points with a cross. AdaBoost never gives a point up, so they come to hold [a third of its weight|t=60], and the vote bends around them; the test error rises again. BrownBoost, with a clock, gives them up and stops early.",
      theorem: "a point's weight is in proportion to exp(−yF): it has no upper limit while the vote stays wrong",
      source: "Chapter 8, wrong labels",
    },
    {
      title: "Boosting as a game",
      address: "data=toy&rounds=60&boosters=adaboost,lpboost&t=4",
      words: "The booster picks weights, the learner picks a rule that is right on as much weight as possible. What the booster can hold every rule down to, and what a vote can promise every point, are one number: here 1/3. LPBoost computes it in [four rounds|t=4]; AdaBoost comes near to it [in time|t=60]: look at the left end of the margins.",
      theorem: "min over D of max over h of the correlation = max over votes of the smallest margin",
      source: "Chapter 6, boosting as a game",
    },
    {
      title: "When no rule helps",
      address: "data=xor&n=160&rounds=30&t=30",
      words: "In XOR every single cut is nearly a coin: the edges fall to almost nothing, and so does the product's help. The theorem asks for rules better than chance, and here there are hardly any. Two questions one after another are enough: [trees of depth 2|data=xor&n=160&rounds=30&learner=tree-2&t=8] finish in eight rounds.",
      theorem: "weak learning: for every D there is a rule with error at most ½ − γ",
      source: "Chapters 1 and 3, the edges",
    },
    {
      title: "Boosting as descent",
      address: "data=clouds&n=200&held_out=0.4&rounds=60&boosters=adaboost,adaboost&second.learning_rate=0.1&t=20",
      words: "Each round takes a step down the mean of exp(−yF), which is the bound. On the right the steps are a tenth as long: the bound falls [more slowly|t=60], and the votes stay even. Small steps cost rounds, and often help on points held out; compare the dotted lines.",
      theorem: "Π Zₜ = (1/m) Σ exp(−yᵢ F(xᵢ)),  F = Σ αₜ hₜ",
      source: "Chapter 7, boosting as descent",
    },
  ];

  function showScene(k) {
    const scene = STORY[k];
    state.scene = k;
    document.body.classList.add("telling");
    $("scene").hidden = false;
    $("scene-title").textContent = scene.title;
    $("scene-count").textContent = `${k + 1} of ${STORY.length}`;
    $("scene-words").replaceChildren(...spokenParts(scene.words));
    $("scene-theorem").textContent = scene.theorem;
    $("scene-source").textContent = `Tutorial: ${scene.source}`;
    $("earlier").disabled = k === 0;
    $("later").disabled = k === STORY.length - 1;
    $("tell").setAttribute("aria-expanded", "true");
    noteAddress();
  }

  function spokenParts(words) {
    return words.split(/(\[[^\]]*\])/).map((part) => {
      if (!part.startsWith("[")) return document.createTextNode(part);
      const [phrase, move] = part.slice(1, -1).split("|");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "phrase";
      button.textContent = phrase;
      button.addEventListener("click", () => movePicture(move));
      return button;
    });
  }

  function movePicture(move) {
    const [name, value] = move.split("=");
    if (move.includes("&")) useScene(move);
    else if (name === "t") { pause(); go(Number(value)); }
    else if (name === "p") pick(Number(value));
    else if (name === "log") setLogarithmic(!state.logarithmic);
    else toggle();
  }

  // A scene leaves the size of the type as it is.
  function useScene(address) {
    const large = document.body.classList.contains("large");
    useAddress({ ...readAddress(address), large });
  }

  function goToScene(k) {
    useScene(STORY[k].address);
    useTool("look");
    showScene(k);
  }

  function closeStory() {
    leaveScene();
    $("tell").focus();
  }

  function leaveScene() {
    state.scene = null;
    document.body.classList.remove("telling");
    $("scene").hidden = true;
    $("tell").setAttribute("aria-expanded", "false");
  }

  function setLarge(on) {
    document.body.classList.toggle("large", on);
    $("large").setAttribute("aria-pressed", String(on));
    if (state.recording) { redraw(); if (!$("charts").hidden) drawCharts(); }
    noteAddress();
  }

  function setLogarithmic(on) {
    state.logarithmic = on;
    $("log").checked = on;
    if (state.recording && !$("charts").hidden) drawCharts();
    noteAddress();
  }

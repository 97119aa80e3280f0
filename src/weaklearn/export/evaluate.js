// Predictions of one row from a model in the JSON form of weaklearn.
function evaluator(model) {
  "use strict";
  const MISSING = -1;
  const UNIT = { ns: 1n, us: 1000n, ms: 1000000n, s: 1000000000n,
    m: 60000000000n, h: 3600000000000n, D: 86400000000000n };
  const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(Z|[+-]\d\d:?\d\d)?$/;

  const label = (value) => typeof value === "object" ? BigInt(value.integer) : value;
  const classes = model.classes.map(label);

  // Numbers of any type that are equal are one category, as true and 1 are.
  function key(value) {
    if (typeof value === "boolean") return Number(value);
    const small = typeof value === "bigint" && BigInt(Number(value)) === value;
    return small ? Number(value) : value;
  }

  function isMissing(value) {
    return value === null || value === undefined || value !== value;
  }

  function wrong(column, value, wanted) {
    const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
    return new TypeError(`column ${JSON.stringify(column.name)} holds ${shown}: it must be ${wanted}`);
  }

  // Units of time since 1970 (rounded up, as cuts are between values), or an integer as it is.
  function units(column, value) {
    if (typeof value === "bigint" || typeof value === "number") return value;
    let nanoseconds;
    if (value instanceof Date && column.kind === "datetime") {
      if (isMissing(value.getTime())) return null;
      nanoseconds = BigInt(value.getTime()) * 1000000n;
    } else {
      const found = column.kind === "datetime" && typeof value === "string" ? ISO.exec(value) : null;
      const zone = found && (found[5] || "");
      if (!found || Boolean(zone) !== column.zoned) {
        const text = column.zoned ? "a text such as 2024-05-01T12:00:00Z" : "a text such as 2024-05-01";
        throw wrong(column, value, column.kind === "datetime" ? `a Date, ${text}, or an integer` : "an integer");
      }
      const time = Date.parse(`${found[1]}T${found[2] || "00:00"}:${found[3] || "00"}${zone || "Z"}`);
      const day = new Date(`${found[1]}T00:00Z`);  // of which some engines take 30 February
      if (isMissing(time) || day.toISOString().slice(0, 10) !== found[1]) {
        throw wrong(column, value, "a date of the calendar");
      }
      nanoseconds = BigInt(time) * 1000000n + BigInt((found[4] || "0").padEnd(9, "0"));
    }
    const unit = UNIT[column.unit];
    const whole = nanoseconds / unit;
    return nanoseconds > 0n && nanoseconds % unit !== 0n ? whole + 1n : whole;
  }

  const readers = model.columns.map((column) => {
    if (column.kind === "category") {
      const codes = new Map(column.categories.map(([category, code]) =>
        [key(label(category)), code]));
      return (value) => {
        if (isMissing(value)) return MISSING;
        const code = codes.get(key(value));
        return code === undefined ? column.unknown : code;
      };
    }
    if (column.kind === "number") {
      return (value) => {
        if (isMissing(value)) return NaN;
        if (!["number", "bigint", "boolean"].includes(typeof value)) throw wrong(column, value, "a number");
        return Number(value);
      };
    }
    return (value) => {
      if (isMissing(value)) return NaN;
      if (column.kind !== "integer") {
        const found = units(column, value);
        return found === null ? NaN : found;
      }
      if (typeof value !== "number" && typeof value !== "bigint") throw wrong(column, value, "an integer");
      return value;
    };
  });

  const exact = (cut) => typeof cut === "string" ? BigInt(cut) : cut;
  const terms = model.terms.map((term) => ({ ...term, cuts: term.cuts.map((cuts) =>
    cuts && cuts.map(exact)) }));
  const trees = model.trees.map((tree) => ({ ...tree, nodes: tree.nodes.map((node) =>
    "cut" in node ? { ...node, cut: exact(node.cut) } : node) }));

  function cells(row) {
    return model.columns.map((column, i) => {
      const place = Array.isArray(row) ? column.position : column.name;
      if (!Object.prototype.hasOwnProperty.call(row, place)) throw new TypeError(`the row has no column ${JSON.stringify(place)}`);
      return readers[i](row[place]);
    });
  }

  // The bin of a value in a term: cuts below it, or the code of a category; the last bin is missing.
  function bin(x, cuts, n) {
    if (cuts === null) return x === MISSING ? n - 1 : x;
    if (x !== x) return n - 1;
    let low = 0, high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x > cuts[middle]) low = middle + 1; else high = middle;
    }
    return low;
  }

  function child(node, x, category) {
    if (category ? x === MISSING : x !== x) return node.missing;
    if (node.sets) return node.children[Math.max(0, node.sets.findIndex((set) => set.includes(x)))];
    return node.children["cut" in node && x > node.cut ? 1 : 0];
  }

  function addTree(tree, x, F) {
    const waiting = [[0, tree.vote]];
    while (waiting.length > 0) {
      const [place, weight] = waiting.pop();
      const node = tree.nodes[place];
      if (node.values) {
        node.values.forEach((value, k) => { F[tree.first + k] += weight * value; });
        continue;
      }
      const next = child(node, x[node.column], model.columns[node.column].kind === "category");
      if (next !== null) waiting.push([next, weight]);
      else for (let k = node.parts.length - 1; k >= 0; k--) waiting.push([node.children[k], weight * node.parts[k]]);
    }
  }

  function scores(row) {
    const x = cells(row), F = model.intercept.slice();
    for (const term of terms) {
      let place = 0;
      term.columns.forEach((column, k) => {
        place = place * term.shape[k] + bin(x[column], term.cuts[k], term.shape[k]);
      });
      term.values[place].forEach((value, k) => { F[k] += value; });
    }
    for (const tree of trees) addTree(tree, x, F);
    return model.divisor > 1 ? F.map((f) => f / model.divisor) : F;
  }

  // What the columns of a term add to scores beside the reference: of two, each on average over
  // the order in which they move.
  function shareTerm(term, x, reference, found) {
    const bins = [reference, x].map((cells) => term.columns.map((column, k) =>
      bin(cells[column], term.cuts[k], term.shape[k])));
    const at = (...moved) => term.values[moved.reduce((place, k, side) => place * term.shape[side] + bins[k][side], 0)];
    const pairs = term.columns.length === 1 ? [[[at(1), at(0)]]]
      : [[[at(1, 0), at(0, 0)], [at(1, 1), at(0, 1)]], [[at(0, 1), at(0, 0)], [at(1, 1), at(1, 0)]]];
    term.columns.forEach((column, side) => pairs[side].forEach(([after, before]) =>
      after.forEach((value, k) => { found[column][k] += (value - before[k]) / pairs[side].length; })));
  }

  // The same of a tree: where the two rows part, both ways are followed, and a leaf that a columns
  // of the row and b of the reference lead to counts by the orders in which just these have moved.
  function shareTree(tree, x, reference, found) {
    const waiting = [[0, tree.vote, [], []]];
    while (waiting.length > 0) {
      const [place, weight, ours, theirs] = waiting.pop();
      const node = tree.nodes[place], column = node.column;
      if (node.values) {
        const a = ours.length, b = theirs.length;
        let orders = 1;
        for (let k = 1; k <= b; k++) orders *= (a + k) / k;
        const add = (moved, part) => node.values.forEach((value, k) => { found[moved][tree.first + k] += part * value; });
        ours.forEach((moved) => add(moved, weight / (a * orders)));
        theirs.forEach((moved) => add(moved, -weight / (b * orders)));
        continue;
      }
      const category = model.columns[column].kind === "category";
      const next = child(node, x[column], category), other = child(node, reference[column], category);
      const go = (to, mine, others) => {
        if (to !== null) waiting.push([to, weight, mine, others]);
        else node.children.forEach((each, k) => waiting.push([each, weight * node.parts[k], mine, others]));
      };
      if (next === other || ours.includes(column)) go(next, ours, theirs);
      else if (theirs.includes(column)) go(other, ours, theirs);
      else {
        go(next, [...ours, column], theirs);
        go(other, ours, [...theirs, column]);
      }
    }
  }

  function reasons(row, reference) {
    const x = cells(row), from = cells(reference);
    const found = model.columns.map(() => model.intercept.map(() => 0));
    for (const term of terms) shareTerm(term, x, from, found);
    for (const tree of trees) shareTree(tree, x, from, found);
    return model.divisor > 1 ? found.map((each) => each.map((f) => f / model.divisor)) : found;
  }

  const shares = (e) => { const total = e.reduce((a, b) => a + b, 0); return e.map((part) => part / total); };

  // What a link makes of scores: probabilities of classes, or a number in a list.
  function linked(link, F) {
    const f = F[0];
    switch (link.form) {
      case "identity": return [f];
      case "exp": return [Math.exp(Math.min(f, 700))];
      case "sure": return [1];
      case "means": return F;
      case "powers":
        return shares(F.map((s) => Math.pow((1 - link.shift) * s + link.shift / F.length, link.scale)));
      case "share": { const s = Math.min(Math.max(f, -1), 1); return [(1 - s) / 2, (1 + s) / 2]; }
      case "sigmoid": {
        const s = link.scale * f + link.shift, e = Math.exp(-Math.abs(s));
        const p = [e / (1 + e), 1 / (1 + e)];
        return s >= 0 ? p : p.reverse();
      }
      case "each": return shares(F.map((s) => 1 / (1 + Math.exp(Math.min(-link.scale * s, 700)))));
      case "softmax": {
        const top = Math.max(...F.map((s) => link.scale * s));
        return shares(F.map((s) => Math.exp(link.scale * s - top)));
      }
      default: throw new Error("this model has scores and no probabilities; calibrate it before exporting");
    }
  }

  function answers(F) {
    if (model.link.form !== "bagged") return linked(model.link, F);
    const mean = new Array(Math.max(1, classes.length)).fill(0);
    for (const member of model.members) {
      const found = linked(member.link, F.slice(member.first, member.first + member.scores));
      found.forEach((part, k) => { mean[member.classes[k]] += part; });
    }
    return mean.map((part) => part / model.members.length);
  }

  const first = (values) => values.indexOf(Math.max(...values));

  function decided(F) {
    if (model.link.form === "bagged") return first(answers(F));
    if (classes.length === 1) return 0;
    if (F.length === 1) return F[0] > 0 ? 1 : 0;
    if (model.tie === "second" && F.length === 2) return F[1] >= F[0] ? 1 : 0;
    return first(F);
  }

  return Object.freeze({
    classes,
    columns: model.columns.map((column) => column.name),
    scores,
    // What each column adds to scores(row) beside scores(reference): Shapley values, a list of one
    // number a score for each of the columns, which add up to the difference.
    reasons,
    predictProba(row) {
      if (classes.length === 0) throw new Error("this model predicts numbers: use predict");
      return answers(scores(row));
    },
    predict(row) {
      const F = scores(row);
      return classes.length === 0 ? answers(F)[0] : classes[decided(F)];
    },
  });
}

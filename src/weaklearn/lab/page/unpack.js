
  // ------------------------------------------------------------------------------- numbers packed

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  async function rowsOfFloats(text, n) {
    const view = new DataView((await unpacked(text)).buffer);
    const rows = [];
    for (let at = 0; at < view.byteLength; at += 4 * n) {
      rows.push(Float32Array.from({ length: n }, (_, k) => view.getFloat32(at + 4 * k, true)));
    }
    return rows;
  }

  async function rowsOfSteps(text, n) {
    const steps = await unpacked(text);
    for (let k = n; k < steps.length; k++) steps[k] = steps[k] + steps[k - n]; // modulo 256
    const rows = [];
    for (let at = 0; at < steps.length; at += n) rows.push(steps.subarray(at, at + n));
    return rows;
  }

  async function opened(run, m) {
    const cells = (run.across.length - 1) * (run.up.length - 1);
    return {
      ...run,
      weights: await rowsOfFloats(run.weights, m),
      margins: await rowsOfFloats(run.margins, m),
      coefficients: await rowsOfFloats(run.coefficients, run.rounds),
      regions: await rowsOfSteps(run.regions, cells),
      edges: run.epsilon.map((e) => (e === null ? null : 0.5 - e)),
    };
  }

// SPDX-License-Identifier: MIT
// Specifications of Vega-Lite, compiled and drawn: node vega_check.js FILE...
// prints for each file its name, the number of values, the number of marks, and warnings of the compiler.
const fs = require("fs");
const vegaLite = require("vega-lite");
const vega = require("vega");

function count(item) {
  if (item.items && ["rect", "symbol", "rule"].includes(item.marktype) && item.role === "mark") return item.items.length;
  if (item.items && ["line", "area"].includes(item.marktype)) return item.items.length;
  return (item.items || []).reduce((n, i) => n + count(i), 0);
}

async function check(file) {
  const spec = JSON.parse(fs.readFileSync(file, "utf8"));
  const said = [];
  const logger = { level() { return this; }, error: s => said.push(s), warn: s => said.push(s), info() { return this; }, debug() { return this; } };
  const compiled = vegaLite.compile(spec, { logger }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
  const svg = await view.toSVG();
  const n = count(view.scenegraph().root);
  console.log([file, spec.data.values.length, n, svg.length > 1000, said.join("; ")].join("\t"));
}

(async () => {
  for (const file of process.argv.slice(2)) await check(file).catch(e => console.log([file, "error", e.message.slice(0, 200)].join("\t")));
})();

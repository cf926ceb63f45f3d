// SPDX-License-Identifier: MIT
// CSV to Parquet and back with DuckDB: node tables_duckdb.js CSV PARQUET BACK, three folders.
// Prints columns of times that are not whole numbers of 64 bits.
const fs = require("fs");
const { DuckDBInstance } = require("@duckdb/node-api");

const quoted = s => "'" + s.replaceAll("'", "''") + "'";

(async () => {
  const [from, parquet, back] = process.argv.slice(2);
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  for (const file of fs.readdirSync(from)) {
    const table = file.replace(/\.csv$/, "");
    const stored = quoted(`${parquet}/${table}.parquet`);
    await db.run(`COPY (FROM read_csv(${quoted(`${from}/${file}`)}, sample_size = -1)) TO ${stored}`);
    const types = await db.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE FROM ${stored})`);
    const used = await db.runAndReadAll(`SELECT column_name FROM (SUMMARIZE FROM ${stored}) WHERE null_percentage < 100`);
    const names = used.getRows().map(r => r[0]);
    for (const [name, type] of types.getRows())
      if (name.endsWith("_ns") && names.includes(name) && type !== "BIGINT") console.log(`${table}.${name} is ${type}`);
    await db.run(`COPY (FROM ${stored}) TO ${quoted(`${back}/${file}`)} (HEADER)`);
  }
})();

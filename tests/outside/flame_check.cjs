// SPDX-License-Identifier: MIT
// usage: node flame_check.cjs speedscope FILE: is it valid by the schema of speedscope?
//        node flame_check.cjs pprof FILE: the sums of the values of all samples, as pprof-format reads them
"use strict";
const fs = require("fs"), path = require("path"), zlib = require("zlib");
const [, , what, file] = process.argv;

if (what === "speedscope") {
  const Ajv = require("ajv");
  const schema = path.join(__dirname, "node_modules/speedscope/dist/release/file-format-schema.json");
  const check = new Ajv({ strict: false }).compile(JSON.parse(fs.readFileSync(schema, "utf8")));
  if (!check(JSON.parse(fs.readFileSync(file, "utf8")))) {
    console.log(JSON.stringify(check.errors));
    process.exit(1);
  }
} else {
  const { Profile } = require("pprof-format");
  const profile = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
  const sums = profile.sampleType.map((type, i) => profile.sample.reduce((n, s) => n + BigInt(s.value[i]), 0n));
  console.log(sums.join(" "));
}

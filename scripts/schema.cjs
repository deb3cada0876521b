'use strict';
// `npm run schema`: writes the functions that follow from the columns of a run, and gives the functions, triggers, policies and
// grants of infra/db/schema a new version when they have changed.
const fs = require('node:fs');
const { runFunctions } = require('./lib/run-functions.cjs');
const { schemaState, VERSION_FILE } = require('./lib/schema-version.cjs');

for (const [file, text] of runFunctions()) fs.writeFileSync(file, text);

const { recorded, hash } = schemaState();
if (recorded.hash === hash) {
  console.log(`schema: version ${recorded.version} is up to date`);
} else {
  const next = { version: recorded.version + 1, hash };
  fs.writeFileSync(VERSION_FILE, `${JSON.stringify(next, null, 2)}\n`);
  console.log(`schema: version ${next.version}`);
}

'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { readText } = require('./files.cjs');

const FOLDER = path.resolve(__dirname, '../../infra/db/schema');
const VERSION_FILE = path.join(FOLDER, 'version.json');
const REPEATABLE = ['types', 'functions', 'triggers', 'policies', 'grants'];

/** What version.json says, and the hash that the files have (as infra/db/schema-source.ts makes it). */
function schemaState() {
  const hash = createHash('sha256');
  for (const kind of REPEATABLE)
    for (const file of fs.readdirSync(path.join(FOLDER, kind)).sort())
      hash.update(`${kind}/${file}\0${fs.readFileSync(path.join(FOLDER, kind, file), 'utf8')}\0`);
  const recorded = JSON.parse(readText(VERSION_FILE) || '{"version": 0, "hash": ""}');
  return { recorded, hash: hash.digest('hex') };
}

module.exports = { schemaState, VERSION_FILE };

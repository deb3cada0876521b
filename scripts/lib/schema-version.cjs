'use strict';
const path = require('node:path');
const { readSchemaFiles } = require('../../infra/db/schema-files.ts');
const { readText } = require('./files.cjs');

const FOLDER = path.resolve(__dirname, '../../infra/db/schema');
const VERSION_FILE = path.join(FOLDER, 'version.json');

/** State of version.json, and the hash of the files. */
function schemaState() {
  const recorded = JSON.parse(readText(VERSION_FILE) || '{"version": 0, "hash": ""}');
  return { recorded, hash: readSchemaFiles(FOLDER).hash };
}

module.exports = { schemaState, VERSION_FILE };

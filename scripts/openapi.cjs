'use strict';
// `npm run openapi`: the document, and the types of those schemas that the command line uses.
// `--check` writes nothing and fails where the types are not those of the document.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { listFiles } = require('./lib/files.cjs');
const { ROOT, nodeProgram } = require('./lib/runtime.cjs');

const DOCUMENT = 'openapi.json';
const TYPES = 'cli/http/api.gen.ts';
const SCHEMA = /"#\/components\/schemas\/([^"]+)"/g;
const check = process.argv.includes('--check');

function run(args) {
  const { status } = spawnSync(nodeProgram(), args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Names of the schemas that the sources of the command line use. */
function usedNames() {
  const sources = listFiles(path.join(ROOT, 'cli')).filter((file) => file.endsWith('.ts') && !file.endsWith('.gen.ts'));
  return sources.flatMap((file) =>
    [...fs.readFileSync(file, 'utf8').matchAll(/\b[sS]chemas'?\]?\['(\w+)'\]/g)].map(([, name]) => name),
  );
}

/** The document with only these schemas and those that they refer to. */
function withSchemas(document, names) {
  const schemas = {};
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const schema = document.components.schemas[name];
    if (schema === undefined) throw new Error(`cli/ uses the schema ${name}, which ${DOCUMENT} does not have.`);
    if (schemas[name] !== undefined) continue;
    schemas[name] = schema;
    waiting.push(...[...JSON.stringify(schema).matchAll(SCHEMA)].map(([, inner]) => inner));
  }
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return { openapi: document.openapi, info: document.info, paths: {}, components: { schemas: sorted } };
}

if (!check) run(['-r', './test/support/ts-hook.cjs', 'src/openapi.main.ts', DOCUMENT]);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'af-openapi-'));
try {
  const reduced = path.join(folder, DOCUMENT);
  const document = JSON.parse(fs.readFileSync(path.join(ROOT, DOCUMENT), 'utf8'));
  fs.writeFileSync(reduced, JSON.stringify(withSchemas(document, usedNames())));
  run(['node_modules/openapi-typescript/bin/cli.js', reduced, '-o', TYPES, ...(check ? ['--check'] : [])]);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

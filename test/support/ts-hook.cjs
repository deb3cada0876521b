'use strict';
// `node -r test/support/ts-hook.cjs file.ts`: runs a source file as a process of its own, without a build. Compiled
// code is kept for the next process: one start loads hundreds of files.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');

const root = path.resolve(__dirname, '../..');
const configFile = path.join(root, '.swcrc');
const kept = path.join(root, 'node_modules/.cache/af-sources');
const settings =
  `with maps ${readFileSync(configFile, 'utf8')}` + readFileSync(require.resolve('@swc/core/package.json'), 'utf8');

mkdirSync(kept, { recursive: true });
enableCompileCache(path.join(kept, 'compiled'));

/** File name -> path of its source map, for stack traces. */
const maps = new Map();

require.extensions['.ts'] = (module, filename) => module._compile(codeOf(filename), filename);

/** One file for each source: its key, then its code; its map beside it. */
function codeOf(filename) {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha1').update(`${settings}\0${filename}\0${source}`).digest('hex');
  const file = path.join(kept, path.relative(root, filename).replaceAll(path.sep, '+'));
  maps.set(filename, `${file}.map`);
  const found = readIfThere(file);
  if (found.startsWith(key)) return found.slice(key.length);
  const { transformSync } = require('@swc/core');
  const { code, map } = transformSync(source, { filename, configFile, sourceFileName: filename });
  writeWhole(`${file}.map`, map);
  writeWhole(file, key + code);
  return code;
}

/** Written under another name and renamed: two processes may start at once. */
function writeWhole(file, text) {
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

module.exports = { codeOf, maps };

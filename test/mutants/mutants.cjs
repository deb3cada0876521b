'use strict';
// Makes the mutants: every small change that Stryker's instrumenter knows, all of a file in one text.
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { Instrumenter } = require('@stryker-mutator/instrumenter');

const ROOT = path.resolve(__dirname, '../..');
const silent = () => undefined;
const LOGGER = { debug: silent, info: silent, warn: silent, isDebugEnabled: () => false };
// Texts of messages are for people to read: no test holds each word of them.
const OPTIONS = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };

/** Writes the changed texts below `code`; the mutants, each with the place it stands at and what it does. */
async function mutantsOf(files, code) {
  const read = files.map((name) => ({ name, mutate: true, content: fs.readFileSync(path.join(ROOT, name), 'utf8') }));
  const { files: changed, mutants } = await new Instrumenter(LOGGER).instrument(read, OPTIONS);
  fs.rmSync(code, { recursive: true, force: true });
  for (const { name, content } of changed) {
    fs.mkdirSync(path.dirname(path.join(code, name)), { recursive: true });
    fs.writeFileSync(path.join(code, name), content);
  }
  const sources = new Map(read.map(({ name, content }) => [name, content.split('\n')]));
  return mutants
    .filter(({ status }) => status === undefined)
    .map((mutant) => described(mutant, sources.get(mutant.fileName)))
    .filter(({ isNone }) => !isNone);
}

function described({ id, fileName: file, location, mutatorName: kind, replacement }, lines) {
  const { start, end } = location;
  const first = lines[start.line];
  const taken =
    start.line === end.line
      ? first.slice(start.column, end.column)
      : [
          first.slice(start.column),
          ...lines.slice(start.line + 1, end.line),
          lines[end.line].slice(0, end.column),
        ].join(' ');
  const change = `${short(taken)} => ${short(replacement)}`;
  const isNone = flat(taken) === flat(replacement);
  const text = short(first);
  const key = createHash('sha1')
    .update([lines.join('\n'), JSON.stringify(location), replacement].join('\0'))
    .digest('hex');
  return { id, file, line: start.line + 1, kind, text, change, key, isNone };
}

function flat(text) {
  return text.replace(/\s+/g, ' ').trim();
}

function short(text) {
  const whole = flat(text);
  return whole.length > 120 ? `${whole.slice(0, 90)} … ${whole.slice(-25)}` : whole;
}

module.exports = { mutantsOf };

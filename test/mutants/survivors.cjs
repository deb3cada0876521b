'use strict';
// survivors.txt: the mutants that no test notices, by file, with the reason why that is right.
//   core/graph/cycle.ts
//     the reason, once for all the mutants below it
//       the line of the source
//         what stands there => what the mutant puts there
const fs = require('node:fs');
const path = require('node:path');

const LIST = path.join(__dirname, 'survivors.txt');

/** The place in its file and what it does there: it stays the same when lines move. */
function nameOf({ file, text, change }) {
  return [file, text, change].join('\n');
}

function readSurvivors() {
  const known = new Map();
  let file, reason, text;
  for (const line of fs.readFileSync(LIST, 'utf8').split('\n')) {
    const depth = line.length - line.trimStart().length;
    const said = line.trim();
    if (said === '' || said.startsWith('# ')) continue;
    if (depth === 0) [file, reason, text] = [said, undefined, undefined];
    else if (depth === 2) [reason, text] = [said, undefined];
    else if (depth === 4) text = said;
    else known.set(nameOf({ file, text, change: said }), reason);
  }
  return known;
}

/** Compares the tried files with the list: survivors that it lacks, and entries that no longer survive. */
function compare(tried) {
  const known = readSurvivors();
  const survived = new Set(tried.filter(({ caught }) => !caught).map((mutant) => nameOf(mutant)));
  const all = new Map(tried.map((mutant) => [nameOf(mutant), mutant]));
  return {
    fresh: tried.filter((mutant) => !mutant.caught && !known.has(nameOf(mutant))),
    caught: [...known.keys()].filter((name) => all.has(name) && !survived.has(name)),
  };
}

/** Prints in the list's form, for a person who adds a reason. */
function listed(mutants) {
  const files = Map.groupBy(mutants, ({ file }) => file);
  return [...files].map(([file, own]) => [file, ...linesOf(own)].join('\n')).join('\n\n');
}

function linesOf(mutants) {
  const lines = Map.groupBy(mutants, ({ text }) => text);
  return [...lines].flatMap(([text, own]) => [`    ${text}`, ...own.map(({ change }) => `      ${change}`)]);
}

module.exports = { compare, listed };

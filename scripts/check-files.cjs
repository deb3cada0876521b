'use strict';
// Checks of sizes and habits that the linters do not have.
const fs = require('node:fs');
const path = require('node:path');
const { listFiles, readText } = require('./lib/files.cjs');
const { runFunctions } = require('./lib/run-functions.cjs');
const { schemaProblems } = require('./lib/schema-rules.cjs');
const { schemaState } = require('./lib/schema-version.cjs');

const ROOT = path.resolve(__dirname, '..');
const FOLDERS = [
  'core',
  'infra',
  'connectors',
  'workflows',
  'activities',
  'worker',
  'src',
  'cli',
  'test',
  'bench',
  'scripts',
];
const MAX_LINES = 400;

const rules = [
  [/^.+$/, (text) => text.split('\n').length > MAX_LINES + 1 && `has more than ${MAX_LINES} lines`],
  [/^(core|workflows)\//, (text) => /(:|<|\bas|\|)\s*any\b(?!\w)/.test(withoutText(text)) && 'uses the type any'],
  [
    /^.+\.ts$/,
    (text) => /@ts-(ignore|nocheck)|(es|ox)lint-disable(?!(-next)?-line )/.test(text) && 'switches a check off',
  ],
  [/^(?!scripts\/check-files)/, (text) => /(\/\/|\*)\s*(TODO|FIXME|XXX)\b/.test(text) && 'has an unfinished note'],
  [/^(?!workflows\/|activities\/)(.*\/)?index\.ts$/, () => 'is a barrel: only workflows and activities have an index'],
  [
    /^test\/.+\.test\.ts$/,
    (text) => /\b(it|test|describe)\.(only|todo)\(/.test(text) && 'runs only a part of its tests',
  ],
];

/** Comments and string contents may say "any". */
function withoutText(source) {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/'(\\.|[^'\\\n])*'|`(\\.|[^`\\])*`/g, "''");
}

const problems = [];
for (const file of FOLDERS.flatMap((folder) => listFiles(path.join(ROOT, folder)))) {
  const name = path.relative(ROOT, file).split(path.sep).join('/');
  if (!/\.(ts|cjs)$/.test(name) || name.endsWith('.gen.ts')) continue;
  const text = fs.readFileSync(file, 'utf8');
  for (const [where, check] of rules) {
    const problem = where.test(name) && check(text);
    if (problem) problems.push(`${name} ${problem}`);
  }
}

problems.push(...schemaProblems(ROOT));
for (const [file, text] of runFunctions())
  if (readText(file) !== text)
    problems.push(`${path.relative(ROOT, file)} is not what a run has from its start: \`npm run schema\` writes it`);
const { recorded, hash } = schemaState();
if (recorded.hash !== hash) problems.push('infra/db/schema has changed: `npm run schema` gives it a new version');

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

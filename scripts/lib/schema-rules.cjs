'use strict';
// Keeps functions, triggers, policies and grants in infra/db/schema: one object a file, with a comment that says why.
const path = require('node:path');
const { listFiles, readText } = require('./files.cjs');

const SCHEMA = 'infra/db/schema';
/** Folders that may hold SQL text. Tests are left out: theirs lives in databases of their own. */
const FOLDERS = [
  'activities',
  'bench',
  'catalog',
  'cli',
  'connectors',
  'core',
  'infra',
  'migrations',
  'scripts',
  'src',
  'worker',
  'workflows',
];
/** Writes two function files of infra/db/schema. */
const GENERATOR = 'scripts/lib/run-functions.cjs';
/** Makes what belongs to the tables of workspaces, which come and go while the product runs. */
const OF_WORKSPACES = `${SCHEMA}/functions/af_secure_workspace_table.sql`;
/** Turns row-level security on for all tables; no single object. */
const OF_ALL_TABLES = `${SCHEMA}/policies/row_security.sql`;

const GAP = String.raw`(?:\s|/\*[\s\S]*?\*/|--[^\n]*\n)+`;
/** Statements that make or change a repeatable object, wherever they stand in a line or string; the kind is the first group. */
const MAKES = [
  new RegExp(
    String.raw`\b(?:create|alter)${GAP}(?:or${GAP}replace${GAP})?(?:constraint${GAP}|event${GAP})?(function|procedure|routine|aggregate|trigger|policy)\b`,
    'gi',
  ),
  // Grants on schemas and databases, and defaults for objects to come, are for migrations: they hold before any object is there.
  new RegExp(
    String.raw`\b(grant)\b[^;.]{1,2000}?\bon\b(?!${GAP}(?:database|functions|schema|sequences|tables)\b)[^;.]{1,2000}?\bto${GAP}(?:af_app|af_login|af_system|public)\b`,
    'gi',
  ),
];
const OWN_KIND = { functions: 'function', triggers: 'trigger', policies: 'policy', grants: 'grant' };
/** Files of these kinds hold one object each, named by the file. */
const SINGLE = { functions: 'function', policies: 'policy', tables: 'table', triggers: 'trigger', types: 'type' };

/** Kinds of the repeatable objects that a text makes. */
function kindsIn(text) {
  return MAKES.flatMap((statement) => [...text.matchAll(statement)].map(([, kind]) => kind.toLowerCase()));
}

/** What is wrong with one file, by its name from the root of the repository. */
function problemsOf(name, text) {
  if (name.startsWith(`${SCHEMA}/`)) return name.endsWith('.sql') ? problemsOfSchemaFile(name, text) : [];
  if (name === GENERATOR) return [];
  const [kind] = kindsIn(text);
  return kind === undefined ? [] : [`${name} makes a ${kind}: ${SCHEMA} is where such objects are made`];
}

function problemsOfSchemaFile(name, text) {
  const [folder, file] = name.slice(SCHEMA.length + 1).split('/');
  const problems = problemsOfComment(text);
  const foreign = kindsIn(text).find((kind) => kind !== OWN_KIND[folder]);
  if (foreign !== undefined && name !== OF_WORKSPACES) problems.push(`makes a ${foreign} among the ${folder}`);
  const single = SINGLE[folder];
  if (single !== undefined && name !== OF_ALL_TABLES) {
    const made = [...text.matchAll(new RegExp(String.raw`^create ${single} (\w+)`, 'gm'))].map(([, object]) => object);
    if (made.length !== 1 || `${made[0]}.sql` !== file)
      problems.push(`holds ${made.join(', ') || 'nothing'}: a file holds the one ${single} that it is named by`);
  }
  return problems.map((problem) => `${name} ${problem}`);
}

/** First words of comments that ask or point instead of saying what the object is or does. */
const RIDDLES =
  /^(as|by|did|does|for|how|if|is|it|its|may|of|that|this|to|what|when|where|whether|which|who|whoever|whom|whose|why|without)\b/i;

function problemsOfComment(text) {
  const head = /^(?:--.*\n)*/.exec(text)[0].replace(/^-- ?/gm, '');
  const problems = [];
  if (head.trim().split(/\s+/).length < 3)
    problems.push('does not begin with a comment that says what the object is for');
  if (RIDDLES.test(head)) problems.push('begins its comment with neither a noun nor a verb');
  const comments = (text.match(/--.*$/gm) ?? []).join('\n');
  if (/\b(he|his|him)\b/i.test(comments)) problems.push('speaks of "he" in a comment: people are "they"');
  if (/\b00\d\d\b/.test(comments)) problems.push('names a migration in a comment: the schema stands for itself');
  return problems;
}

/** Problems of all files below `root`. */
function schemaProblems(root) {
  return FOLDERS.flatMap((folder) => listFiles(path.join(root, folder)))
    .filter((file) => /\.(sql|ts|cjs|js|mjs)$/.test(file))
    .flatMap((file) => problemsOf(path.relative(root, file).split(path.sep).join('/'), readText(file)));
}

/** `of`: problems of one text under its name. */
schemaProblems.of = problemsOf;

module.exports = { schemaProblems };

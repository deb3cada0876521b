'use strict';
// The two functions of the database that know each column that a run has from its start.
const fs = require('node:fs');
const path = require('node:path');
const { RUN_START } = require('../../infra/db/stores/run-types.ts');

const FOLDER = path.resolve(__dirname, '../../infra/db/schema');
const WIDTH = 120;
const NOTE = '-- Written by `npm run schema` from RUN_START in infra/db/stores/run-types.ts and the table.';

const SETTINGS = 'set search_path = pg_catalog, public, pg_temp as $$';

const put = (columns) => `${NOTE}
-- Inserts every row of \`runs\`, with all that a run has at its start. False: a run with this id or key exists. It returns no row: a kept
-- plan knows the columns of a function's rows as they were, and a later version may add a column while this process runs.
create function af_put_run(p_new runs) returns boolean language plpgsql
  ${SETTINGS}
begin
  insert into runs (
${inLines(columns.map(({ name }) => name))})
    values (
${inLines(columns.map(ofNew))})
    on conflict do nothing;
  return found;
end $$;
`;

/** Null stands for what was left out. */
function ofNew({ name, byItself }) {
  return byItself === undefined ? `p_new.${name}` : `coalesce(p_new.${name}, ${byItself})`;
}

const given = (columns) => `${NOTE}
-- Takes the columns that a caller may give from a record (documents as JSON text), and ignores all others.
create function af_given_run(p_run json) returns runs language plpgsql stable
  ${SETTINGS}
declare
  v_given constant runs := json_populate_record(null::runs, p_run);
  v_run runs;
begin
${columns.map(({ name, type }) => `  v_run.${name} := ${taken(name, type)};`).join('\n')}
  return v_run;
end $$;
`;

function taken(name, type) {
  return type.startsWith('json') ? `(v_given.${name} #>> '{}')::${type}` : `v_given.${name}`;
}

function inLines(words) {
  const lines = [''];
  for (const word of words.map((each, index) => (index < words.length - 1 ? `${each},` : each))) {
    const joined = `${lines.at(-1)} ${word}`;
    if (lines.at(-1) !== '' && joined.length > WIDTH) lines.push(`      ${word}`);
    else lines[lines.length - 1] = lines.at(-1) === '' ? `      ${word}` : joined;
  }
  return lines.join('\n');
}

/** Type and default of columns as the table's file has them, one a line. */
function columnsOf(names, table) {
  return names.map((name) => {
    const line = new RegExp(`^ {2}${name} (\\w+)(.*?),?$`, 'm').exec(table);
    if (line === null) throw new Error(`infra/db/schema/tables/runs.sql has no column ${name}, which RUN_START names`);
    const [, type, rest] = line;
    return { name, type, byItself: /\bdefault ('[^']*'|\S+)/.exec(rest)?.[1] };
  });
}

/** Path and text of each, below a folder of the schema. */
function runFunctions({ start, folder } = { start: RUN_START, folder: FOLDER }) {
  const table = fs.readFileSync(path.join(folder, 'tables', 'runs.sql'), 'utf8');
  const file = (name) => path.join(folder, 'functions', `${name}.sql`);
  return new Map([
    [file('af_given_run'), given(columnsOf(start.given, table))],
    [file('af_put_run'), put(columnsOf([...start.given, ...start.derived], table))],
  ]);
}

module.exports = { runFunctions };

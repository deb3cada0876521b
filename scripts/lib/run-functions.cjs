'use strict';
// The two functions of the database that know each column that a run has from its start.
const fs = require('node:fs');
const path = require('node:path');
const { RUN_START } = require('../../infra/db/stores/run-types.ts');

const FOLDER = path.resolve(__dirname, '../../infra/db/schema');
const WIDTH = 120;
const NOTE = '-- Written by `npm run schema` of RUN_START in infra/db/stores/run-types.ts and of the table.';

const SETTINGS = 'set search_path = pg_catalog, public, pg_temp as $$';

const put = (columns) => `${NOTE}
-- The one place that makes a row of \`runs\`: what a run is when it is made. False: a run with this id or key is there. It gives no
-- row: a plan that is kept knows the columns of a function's rows as they were, and a later version may add one beside us.
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
-- A run as whoever starts it gave it, by column, documents as JSON text. What else the record holds is not theirs to give.
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

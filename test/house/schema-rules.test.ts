import { describe, expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const { schemaProblems } = createRequire(__filename)(path.join(ROOT, 'scripts/lib/schema-rules.cjs')) as {
  schemaProblems: { (root: string): string[]; of: (name: string, text: string) => string[] };
};
const problemsOf = schemaProblems.of;

const FUNCTION = 'create function af_z() returns integer language sql as $$ select 1 $$;\n';
const COMMENTED = `-- Returns one, for a test.\n${FUNCTION}`;
const SCHEMA = 'infra/db/schema';

it('the repository keeps them', () => {
  expect(schemaProblems(ROOT)).toEqual([]);
});

describe('a function, trigger, policy or grant elsewhere', () => {
  it.each([
    ['migrations/0099-x.sql', FUNCTION],
    ['migrations/0035-baseline.sql', `create table a (b text);\n${FUNCTION}`],
    ['migrations/0099-x.sql', `select 1; ${FUNCTION}`],
    ['migrations/0099-x.sql', `do $$ begin execute 'create function af_z() returns integer as ...'; end $$;\n`],
    ['migrations/0099-x.sql', `do $$ begin execute format('create or replace  function %I', 'z'); end $$;\n`],
    ['migrations/0099-x.sql', 'create procedure af_z() language sql as $$ select 1 $$;\n'],
    ['migrations/0099-x.sql', 'CREATE OR REPLACE\n  FUNCTION af_z() returns integer;\n'],
    ['migrations/0099-x.sql', 'create /* here */ function af_z() returns integer;\n'],
    ['migrations/0099-x.sql', 'create -- here\n function af_z() returns integer;\n'],
    ['migrations/0099-x.sql', 'alter function af_z() set search_path = public;\n'],
    ['migrations/0099-x.sql', 'create constraint trigger z after insert on runs execute function af_z();\n'],
    ['migrations/0099-x.sql', 'create policy z on runs to af_app using (true);\n'],
    ['migrations/0099-x.sql', 'select 1; grant select on runs\n  to af_app;\n'],
    ['migrations/0099-x.sql', 'grant execute on function af_z to public;\n'],
    ['core/base/x.ts', `export const SQL = 'create function af_z() returns integer';\n`],
    ['activities/x.ts', 'export const SQL = `\n  create function af_z() returns integer`;\n'],
    ['worker/x.ts', `export const SQL = "create trigger z";\n`],
    ['workflows/x.ts', `export const SQL = 'create policy z on runs';\n`],
    ['cli/x.ts', `export const SQL = 'grant select on runs to af_app';\n`],
    ['src/x.ts', `const a = 'create function af_z() returns integer';\n`],
    ['scripts/x.cjs', `const a = 'create function af_z() returns integer';\n`],
    [`infra/db/stores/x.ts`, `const a = 'create function af_z() returns integer';\n`],
  ])('%s: %j', (name, text) => {
    expect(problemsOf(name, text)).toEqual([expect.stringMatching(/ makes a \w+: infra\/db\/schema is where/)]);
  });

  it('is no grant on a schema or database, no drop, and no word of a sentence', () => {
    const text = `grant usage on schema public to af_app; grant create on database x to af_migrate; grant af_app to af_login;
      alter default privileges for role af_migrate grant execute on functions to public; drop function af_z(); drop policy z on runs;`;
    expect(problemsOf('migrations/0099-x.sql', text)).toEqual([]);
    expect(problemsOf('core/x.ts', '// Creates the function that people grant on request.\n')).toEqual([]);
  });
});

describe('a file of the schema', () => {
  const at = (file: string, text: string): string[] =>
    problemsOf(`${SCHEMA}/${file}`, text).map((problem) => problem.slice(`${SCHEMA}/${file} `.length));

  it('holds one object, named by the file', () => {
    expect(at('functions/af_z.sql', COMMENTED)).toEqual([]);
    const one = ': a file holds the one function that it is named by';
    expect(at('functions/af_z.sql', `${COMMENTED}${FUNCTION}`)).toEqual([`holds af_z, af_z${one}`]);
    expect(at('functions/af_y.sql', COMMENTED)).toEqual([`holds af_z${one}`]);
    expect(at('functions/af_y.sql', '-- Holds nothing at all.\n')).toEqual([`holds nothing${one}`]);
    const policy = '-- Shows all rows.\ncreate policy a on runs to af_app using (true);\n';
    expect(at('policies/a.sql', policy)).toEqual([]);
    expect(at('policies/runs.sql', policy)).toHaveLength(1);
  });

  it('makes nothing of another kind', () => {
    const table = '-- Runs of playbooks.\ncreate table runs (id uuid);\n';
    expect(at('tables/runs.sql', table)).toEqual([]);
    expect(at('tables/runs.sql', `${table}${FUNCTION}`)).toEqual(['makes a function among the tables']);
    expect(at('functions/af_z.sql', `${COMMENTED}grant execute on function af_z to af_app;\n`)).toEqual([
      'makes a grant among the functions',
    ]);
    const dynamic = COMMENTED.replace('select 1', `execute 'create policy z on runs'`);
    expect(at('functions/af_z.sql', dynamic)).toEqual(['makes a policy among the functions']);
  });

  it('begins with a comment that says what it is for', () => {
    const missing = 'does not begin with a comment that says what the object is for';
    for (const kind of ['functions', 'grants'])
      expect(at(`${kind}/af_z.sql`, kind === 'grants' ? 'grant select on runs to af_app;\n' : FUNCTION)).toEqual([
        missing,
      ]);
    expect(at('functions/af_z.sql', `-- Z.\n${FUNCTION}`)).toEqual([missing]);
    expect(at('functions/af_z.sql', `${FUNCTION}-- Returns one, for a test.\n`)).toEqual([missing]);
  });

  it('begins it with a noun or a verb', () => {
    const riddle = 'begins its comment with neither a noun nor a verb';
    for (const head of ['What a person may see of a run.', 'Whether they may see it.', 'Of one run, for its owner.'])
      expect(at('functions/af_z.sql', `-- ${head}\n${FUNCTION}`)).toEqual([riddle]);
    expect(at('functions/af_z.sql', `-- Whole numbers as text.\n${FUNCTION}`)).toEqual([]);
  });

  it('speaks of people as "they", and of the schema as it is now', () => {
    expect(at('functions/af_z.sql', `-- Returns what he may see.\n${FUNCTION}`)).toHaveLength(1);
    expect(at('functions/af_z.sql', `-- Returns one, as 0020 did.\n${FUNCTION}`)).toHaveLength(1);
  });
});

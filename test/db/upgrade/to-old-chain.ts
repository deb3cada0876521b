import type { Admin } from '../../support/admin';
import { oldChain } from './old-chain';

/** Tables with rows of the product; those of the migrations themselves belong to each chain. */
const TABLES = `select c.relname as name from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r'
  and c.relname not in ('migrations', 'schema_state') order by 1`;
const COLUMNS = `select string_agg(quote_ident(a.attname), ', ' order by a.attnum) as names from pg_attribute a
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
    and exists (select from pg_attribute k where k.attrelid = $2::regclass and k.attname = a.attname and not k.attisdropped)`;

/**
 * Gives a database the schema that the old chain of migrations makes up to `to`, with the rows that it has: what a build of that time
 * would have left. Columns that came later are lost. Nothing may use the database meanwhile.
 */
export async function toOldChain(admin: Admin, url: string, to?: number): Promise<void> {
  const tablesOf = async (schema: string): Promise<string[]> =>
    (await admin.query<{ name: string }>(TABLES, [schema])).map(({ name }) => name);
  await admin.query('create schema kept');
  for (const table of await tablesOf('public'))
    await admin.query(`create table kept.${table} as table public.${table}`);
  await admin.query('drop schema public cascade');
  await admin.query('create schema public authorization pg_database_owner; grant usage on schema public to public');
  const chain = await oldChain(url);
  await chain.up(to);
  await chain.close();
  const kept = new Set(await tablesOf('kept'));
  const tables = (await tablesOf('public')).filter((table) => kept.has(table));
  const copies: string[] = [];
  for (const table of tables) {
    const [columns] = await admin.query<{ names: string }>(COLUMNS, [`public.${table}`, `kept.${table}`]);
    copies.push(
      `insert into public.${table} (${columns?.names}) overriding system value select ${columns?.names} from kept.${table}`,
    );
  }
  // Triggers and foreign keys have done their work when the rows were written.
  await admin.query(`begin; set local session_replication_role = replica; truncate ${tables.map((name) => `public.${name}`).join(', ')};
    ${copies.join(';\n')}; commit`);
  await admin.query('drop schema kept cascade');
}

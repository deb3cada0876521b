import type { Database } from '../../../infra/db/database';

/**
 * Number of the cluster that our own data lies in: the same behind every address, proxy and tunnel. Asked once; nothing where this login may
 * not ask, and then addresses alone keep connectors out.
 */
export function ownSystem(database: Pick<Database, 'hot'>): () => Promise<string | undefined> {
  let known: Promise<string | undefined> | undefined;
  return () => {
    known ??= ask(database).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function ask(database: Pick<Database, 'hot'>): Promise<string | undefined> {
  const may = `select pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'execute') as may`;
  const [row] = await database.hot<{ may: boolean }>(may, []);
  if (row?.may !== true) return undefined;
  const id = 'select system_identifier::text as id from pg_catalog.pg_control_system()';
  return (await database.hot<{ id: string }>(id, []))[0]?.id;
}

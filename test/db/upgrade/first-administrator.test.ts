import { expect, it } from '@jest/globals';
import { Database, owner } from '../../../infra/db/database';
import { migrate } from '../../../infra/db/migrate';
import { UsersStore } from '../../../infra/db/stores/identity/users.store';
import { openAdmin } from '../../support/admin';
import { freshDatabase, loginUrl } from '../../support/postgres';
import { OWNER } from '../db-fixture';
import { ownerColumn, seedTenant } from '../tenant-rows';
import { Identity1764288000014 } from './chain/0014-identity';
import { oldChain } from './old-chain';

it('what the one local user had is the first administrator’s: the upgrade from the schema before', async () => {
  const { url, drop } = await freshDatabase();
  const admin = openAdmin(url);
  const schema = await Database.connect({ url, poolSize: 2 });
  const chain = await oldChain(url);
  try {
    await chain.up();
    await chain.downBefore(Identity1764288000014.name);
    const rows = await seedTenant(admin, OWNER);
    await chain.up(35);
    await migrate(schema);
    const database = await Database.connect({ url: loginUrl(url), poolSize: 2 });
    for (const table of rows.keys()) {
      const found = await database.query(owner(OWNER), `select ${ownerColumn(table)} as id from ${table}`);
      expect({ table, found }).toEqual({ table, found: [{ id: OWNER }] });
    }
    const user = await new UsersStore(database).get(OWNER);
    expect(user).toMatchObject({ handle: 'local', kind: 'person', status: 'active', scopes: ['global:admin'] });
    await database.close();
  } finally {
    await chain.close();
    await schema.close();
    await admin.close();
    await drop();
  }
}, 120_000);

import { DataSource } from 'typeorm';
import { MIGRATIONS } from './chain/all';

/** The migrations as they were before the schema became source: to 0035 they are the baseline by now. */
export interface OldChain {
  /** All of them, or those up to a number. */
  up(to?: number): Promise<void>;
  /** Back until this one has not been applied. */
  downBefore(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function oldChain(url: string): Promise<OldChain> {
  const sourceOf = async (to: number): Promise<DataSource> => {
    const migrations = MIGRATIONS.filter(({ name }) => numberOf(name) <= to);
    return new DataSource({ type: 'postgres', url, migrations, migrationsTableName: 'migrations' }).initialize();
  };
  const whole = await sourceOf(Number.POSITIVE_INFINITY);
  return {
    up: async (to = Number.POSITIVE_INFINITY) => {
      const source = await sourceOf(to);
      await source.runMigrations({ transaction: 'each' });
      await source.destroy();
    },
    downBefore: async (name) => {
      const applied = (): Promise<unknown[]> => whole.query('select 1 from migrations where name = $1', [name]);
      while ((await applied()).length > 0) await whole.undoLastMigration({ transaction: 'each' });
    },
    close: () => whole.destroy(),
  };
}

function numberOf(name: string): number {
  return Number(/(\d{4})$/.exec(name)?.[1] ?? 0);
}

import type { ConnectorBindingsStore } from '../../db/stores/connector-bindings.store';
import type { Exchange } from './exchange';

/** A credential in use. */
type Used = Pick<Exchange, 'ownerId' | 'connector' | 'endpoint'> & { credential?: { name: string } };

/** A success is told again after this: another process may have been refused meanwhile. */
const TOLD_FOR_MS = 30_000;
const MOST_TOLD = 5000;

/** What sources say about credentials: the first refusal is stored and told to the owner, a success clears it. */
export class CredentialStates {
  private readonly told = new Map<string, number>();

  constructor(private readonly store: ConnectorBindingsStore) {}

  /** `status`: of HTTP. */
  async refused(used: Used, status: number | null): Promise<void> {
    const { ownerId, connector, endpoint } = used;
    this.told.delete(keyOf(used));
    const credential = used.credential?.name ?? '';
    await this.store.refused({ ownerId, connector: connector.id, credential, status, endpoint });
  }

  async accepted(used: Used): Promise<void> {
    const key = keyOf(used);
    if (Date.now() < (this.told.get(key) ?? 0)) return;
    if (this.told.size > MOST_TOLD) this.told.clear();
    this.told.set(key, Date.now() + TOLD_FOR_MS);
    await this.store.accepted(used.ownerId, used.connector.id, used.credential?.name ?? '');
  }
}

function keyOf({ ownerId, connector, credential }: Used): string {
  return JSON.stringify([ownerId, connector.id, credential?.name ?? '']);
}

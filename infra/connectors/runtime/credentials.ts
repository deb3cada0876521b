import type { ConnectorBindingsStore } from '../../db/stores/connector-bindings.store';
import type { Exchange } from './exchange';

/** A success is told again after this: another process may have been refused meanwhile. */
const TOLD_FOR_MS = 30_000;
const MOST_TOLD = 5000;

/** What sources say about credentials: the first refusal is stored and told to the owner (once an hour at most), a success clears it. */
export class CredentialStates {
  private readonly told = new Map<string, number>();

  constructor(private readonly store: ConnectorBindingsStore) {}

  async refused(exchange: Exchange, status: number): Promise<void> {
    const { ownerId, connector, endpoint } = exchange;
    this.told.delete(keyOf(exchange));
    const credential = exchange.credential?.name ?? '';
    await this.store.refused({ ownerId, connector: connector.id, credential, status, endpoint });
  }

  async accepted(exchange: Exchange): Promise<void> {
    const key = keyOf(exchange);
    if (Date.now() < (this.told.get(key) ?? 0)) return;
    if (this.told.size > MOST_TOLD) this.told.clear();
    this.told.set(key, Date.now() + TOLD_FOR_MS);
    await this.store.accepted(exchange.ownerId, exchange.connector.id, exchange.credential?.name ?? '');
  }
}

function keyOf({ ownerId, connector, credential }: Exchange): string {
  return JSON.stringify([ownerId, connector.id, credential?.name ?? '']);
}

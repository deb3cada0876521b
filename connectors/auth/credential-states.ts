import type { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import type { UsedBinding } from '../runtime/identity';

/** Interval after which a success is recorded again: another process may have seen a refusal meanwhile. */
const TOLD_FOR_MS = 30_000;
const MOST_TOLD = 5000;

/**
 * States of credentials: the first refusal by a source is stored and told to the owner (once an hour at most), a
 * success clears it.
 */
export class CredentialStates {
  private readonly told = new Map<string, number>();

  constructor(private readonly store: ConnectorBindingsStore) {}

  /** `answer`: the HTTP status, or the code of another protocol. */
  async refused(use: UsedBinding, answer: number | string): Promise<void> {
    this.told.delete(keyOf(use));
    const status = typeof answer === 'number' ? answer : null;
    await this.store.refused({ ...use, status, said: status === null ? `${answer}` : `status ${status}` });
  }

  async accepted(use: UsedBinding): Promise<void> {
    const key = keyOf(use);
    if (Date.now() < (this.told.get(key) ?? 0)) return;
    if (this.told.size > MOST_TOLD) this.told.clear();
    this.told.set(key, Date.now() + TOLD_FOR_MS);
    await this.store.accepted(use.ownerId, use.connector, use.credential);
  }
}

function keyOf({ ownerId, connector, credential }: UsedBinding): string {
  return JSON.stringify([ownerId, connector, credential]);
}

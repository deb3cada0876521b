import { headSigner } from '../crypto/signing';
import type { KeyRing } from '../crypto/key-ring';
import type { DecisionHead, DecisionHeadsStore } from '../db/stores/decision-heads.store';
import type { DecisionsStore, LogEntry } from '../db/stores/decisions.store';
import { GENESIS } from './chain';
import { headText } from './head-text';

export interface DecisionExportDeps {
  log: DecisionsStore;
  heads: DecisionHeadsStore;
  ring: KeyRing;
}

const BATCH = 500;

/**
 * An owner's decision chain as JSON lines: one `export`, every `entry` in order, every signed `head`, the newest last.
 * `af verify-decisions` checks such a file without us.
 */
export class DecisionExport {
  constructor(private readonly deps: DecisionExportDeps) {}

  /** Holds no connection between two pieces. */
  async *lines(ownerId: string, now = new Date()): AsyncGenerator<string> {
    const { log, heads, ring } = this.deps;
    yield line({ kind: 'export', format: 1, owner_id: ownerId });
    let last: Pick<LogEntry, 'no' | 'hash'> = { no: 0, hash: GENESIS };
    for (;;) {
      const entries = await log.log(ownerId, last.no, BATCH);
      if (entries.length > 0) yield entries.map((entry) => line({ kind: 'entry', ...entry })).join('');
      last = entries.at(-1) ?? last;
      if (entries.length < BATCH) break;
    }
    const newest = signed(ring, ownerId, { no: last.no, hash: last.hash, signed_at: now.toISOString() });
    await heads.add(ownerId, newest);
    const before = (await heads.list(ownerId)).filter((head) => head.no < newest.no);
    yield [...before, newest].map((head) => line({ kind: 'head', ...head })).join('');
  }
}

function signed(ring: KeyRing, ownerId: string, head: Pick<DecisionHead, 'no' | 'hash' | 'signed_at'>): DecisionHead {
  const signer = headSigner(ring);
  return {
    ...head,
    key_id: signer.keyId,
    public_key: signer.publicKey,
    signature: signer.sign(headText(ownerId, head)),
  };
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

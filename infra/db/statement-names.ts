import { createHash } from 'node:crypto';

/** Limit above the product's number of texts: any further one is parsed and planned at each use. */
const MOST = 300;

/**
 * Names under which connections keep what they have parsed and planned. One text has one name for each role: under another one
 * its plan would be made anew at each change.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private rounds = 0;

  /** `most` 0: nothing is kept. */
  constructor(private readonly most = MOST) {}

  /** `role`: whose rights the text runs under. Undefined: without a name. */
  of(role: 'login' | 'owner' | 'system', text: string): string | undefined {
    const key = `${role} ${text}`;
    const known = this.names.get(key);
    if (known !== undefined || this.names.size >= this.most) return known;
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 24);
    const name = `${role}_${this.rounds}_${digest}`;
    this.names.set(key, name);
    return name;
  }

  get round(): number {
    return this.rounds;
  }

  /** The schema has changed under what is kept since `round`: from here on everything goes by a new name. */
  renew(round: number): void {
    if (round !== this.rounds) return;
    this.names.clear();
    this.rounds += 1;
  }
}

/** A migration of a newer process added a column to a table: the kept plan would give the old columns, so the server refuses it. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

import { owner, type Database } from '../database';

/** A statement, signed by the installation, of how an owner's decision chain ended at a moment. */
export interface DecisionHead {
  /** Number of the last entry; 0 for an empty chain. */
  no: number;
  hash: string;
  /** RFC 3339. */
  signed_at: string;
  key_id: string;
  public_key: string;
  signature: string;
}

const COLUMNS = 'no, hash, signed_at, key_id, public_key, signature';

export class DecisionHeadsStore {
  constructor(private readonly database: Database) {}

  /** The first signature of a head stays. */
  async add(ownerId: string, head: DecisionHead): Promise<void> {
    await this.database.query(
      owner(ownerId),
      `insert into decision_heads (owner_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [ownerId, head.no, head.hash, head.signed_at, head.key_id, head.public_key, head.signature],
    );
  }

  async list(ownerId: string): Promise<DecisionHead[]> {
    return this.database.query<DecisionHead>(
      owner(ownerId),
      `select ${COLUMNS} from decision_heads where owner_id = $1 order by no`,
      [ownerId],
    );
  }
}

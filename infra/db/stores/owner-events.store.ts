import type { Database } from '../database';
import type { EventRow } from './events.store';

/** A place in the order of all events: the transaction that wrote one, its run, its number there. */
export interface EventPlace {
  xid: string;
  runId: string;
  seq: number;
}

export interface PlacedEvent extends EventRow {
  xid: string;
}

/** Position of one reader in all events of its owner. */
export interface OwnerPosition {
  ownerId: string;
  at: EventPlace;
}

export interface OwnerPage {
  rows: PlacedEvent[];
  /** Place up to which everything was read; undefined: read again from the last row on. */
  upTo: EventPlace | undefined;
}

export interface Horizon {
  /** Names this installation: places of another one mean nothing here. */
  stamp: string;
  at: EventPlace;
}

const NIL = '00000000-0000-0000-0000-000000000000';

/** The log of all runs, in an order in which nothing is added behind a reader. */
export class OwnerEventsStore {
  constructor(private readonly database: Database) {}

  /** Position for a reader that wants later events alone. */
  async horizon(): Promise<Horizon> {
    const [row] = await this.database.hot<{ stamp: string; horizon: string }>('select * from af_events_horizon()', []);
    if (row === undefined) {
      throw new Error('af_events_horizon gives one row');
    }
    return { stamp: row.stamp, at: placeBefore(row.horizon) };
  }

  /** Pages in the order of the positions; undefined: the statement was full before it came to this one. */
  async pages(
    positions: readonly OwnerPosition[],
    limit: { each: number; all: number },
  ): Promise<(OwnerPage | undefined)[]> {
    const rows = await this.database.hot<Row>('select * from af_owner_events($1, $2, $3, $4, $5, $6)', [
      positions.map(({ ownerId }) => ownerId),
      positions.map(({ at }) => at.xid),
      positions.map(({ at }) => at.runId),
      positions.map(({ at }) => at.seq),
      limit.each,
      limit.all,
    ]);
    const pages = positions.map((): OwnerPage | undefined => undefined);
    for (const { no, horizon, ...row } of rows) {
      const page = (pages[no - 1] ??= { rows: [], upTo: placeBefore(horizon) });
      if (row.seq !== null) {
        page.rows.push(row);
      }
    }
    const cut = rows.length >= limit.all ? (rows.at(-1)?.no ?? 0) : 0;
    pages.forEach((page, index) => {
      if (page !== undefined && (page.rows.length >= limit.each || index === cut - 1)) {
        page.upTo = undefined;
      }
    });
    return pages;
  }
}

type Row = { no: number; horizon: string } & (PlacedEvent | { [column in keyof PlacedEvent]: null });

/** Place before the first event of a transaction. */
function placeBefore(xid: string): EventPlace {
  return { xid, runId: NIL, seq: 0 };
}

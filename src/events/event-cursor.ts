import type { EventPlace } from '../../infra/db/stores/owner-events.store';

/** Time for which a cursor is valid; a client that was away longer loads its lists again. */
const GOOD_FOR_MS = 7 * 86_400_000;
const FORM = /^([0-9a-f]{12})\.([0-9a-z]{1,9})\.(\d{1,20})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})$/;
const BIGGEST_XID = 2n ** 64n - 1n;

/** Opaque to clients: installation, time of issue, and the position of the last event before it. */
export function cursorOf(stamp: string, { xid, runId, seq }: EventPlace, now: number): string {
  return Buffer.from(`${stamp}.${Math.floor(now / 1000).toString(36)}.${xid}.${runId}.${seq}`).toString('base64url');
}

export type ReadCursor = { place: EventPlace } | { reset: ResetReason };
export type ResetReason = 'cursor_unknown' | 'cursor_too_old';

/** A cursor is compared with the position of the stream: one from another installation, or from the future, is unknown. */
export function readCursor(text: string, standing: { stamp: string; at: EventPlace }, now: number): ReadCursor {
  const [, stamp, given = '', xid = '', runId = '', seq] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (stamp !== standing.stamp || BigInt(xid) > BIGGEST_XID || BigInt(xid) > BigInt(standing.at.xid)) {
    return { reset: 'cursor_unknown' };
  }
  if (now - Number.parseInt(given, 36) * 1000 > GOOD_FOR_MS) {
    return { reset: 'cursor_too_old' };
  }
  return { place: { xid, runId, seq: Number(seq) } };
}

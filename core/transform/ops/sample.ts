import { fail } from '../failure';
import type { Operation } from '../operation';
import { optionalCount } from '../params';

/**
 * `{count, seed?}`: so many rows by chance, in their order. The same rows and the same `seed` (1 when left out) give the same sample, on
 * every machine and in a replay.
 */
export const sample: Operation = (rows, params, { remarks }) => {
  const count = optionalCount(params, ['count', 'value']);
  if (count === undefined) fail('invalid_operation', '`count` is empty: expected the number of rows to take.');
  const next = generator(optionalCount(params, ['seed']) ?? 1);
  // Selection sampling: Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm S.
  let wanted = Math.min(count, rows.length);
  const taken = rows.filter((_row, at) => {
    if (next() * (rows.length - at) >= wanted) return false;
    wanted -= 1;
    return true;
  });
  const left = rows.length - taken.length;
  if (left > 0) remarks.add('limited', `${taken.length} of ${rows.length} records taken by chance.`, { count: left });
  return taken;
};

/** Numbers from 0 up to 1 (mulberry32, T. Ettinger): whole-number arithmetic of 32 bits, equal everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Sizes of the fault cases: reduced in `npm test`, full with AF_FAULT_FULL=1. AF_FAULT_SEED repeats what is
 * random; every file prints the seed that it used.
 */
export const FULL = process.env.AF_FAULT_FULL === '1';

const SEED = Number(process.env.AF_FAULT_SEED ?? 1);

export function size(reduced: number, full: number): number {
  return FULL ? full : reduced;
}

export interface Random {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
}

/** The same numbers for the same name and seed (mulberry32, Tommy Ettinger). Prints the settings that repeat the test. */
export function seeded(name: string): Random {
  process.stderr.write(`${name}: AF_FAULT_SEED=${SEED}${FULL ? ' AF_FAULT_FULL=1' : ''}\n`);
  let state = SEED;
  for (let at = 0; at < name.length; at++) state = (state * 31 + name.charCodeAt(at)) | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return { int, pick: (items) => items[int(0, items.length - 1)] as (typeof items)[number] };
}

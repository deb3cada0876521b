import type { ModelUsage } from './types';

/** Token counts of providers, as they came: absent, null, or another value that their servers write. */
interface ToldUsage {
  input: unknown;
  output: unknown;
  /** Absent = nothing came from a cache: few servers have one. */
  cached: unknown;
  /** Absent = nothing was written to a cache. */
  written?: unknown;
  /** Absent = the usual one. */
  tier?: unknown;
}

const LISTED_TIERS: readonly unknown[] = ['default', 'standard', 'auto'];

/** The one reader of counts, of every provider: a whole number from 0 to 2^53-1, or null: not known. Nothing is guessed. */
function tokenCount(told: unknown): number | null {
  return typeof told === 'number' && Number.isSafeInteger(told) && told >= 0 ? told + 0 : null;
}

/** A part that is larger than its whole is no count either. */
export function usageOf({ input, output, cached, written, tier }: ToldUsage): ModelUsage {
  const [whole, part] = [tokenCount(input), tokenCount(cached ?? 0)];
  const isListed = tokenCount(written ?? 0) === 0 && LISTED_TIERS.includes(tier ?? 'default');
  return {
    input_tokens: whole,
    output_tokens: tokenCount(output),
    cached_input_tokens: whole !== null && part !== null && part > whole ? null : part,
    ...(isListed ? {} : { unlisted: true as const }),
  };
}

/** A sum of counts; null when one of them, or the sum, is no count. */
export function sumOfCounts(told: readonly unknown[]): number | null {
  return told.reduce<number | null>((sum, each) => {
    const count = tokenCount(each);
    return sum === null || count === null ? null : tokenCount(sum + count);
  }, 0);
}

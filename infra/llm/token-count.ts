import type { ModelUsage } from './types';

/** What providers say of tokens, each count as it came: absent, null, or whatever else their servers write. */
interface ToldUsage {
  input: unknown;
  output: unknown;
  /** Absent = nothing came from a cache: few servers have one. */
  cached: unknown;
}

/** The one reader of counts, of every provider: a whole number from 0 to 2^53-1, or null: not known. Nothing is guessed. */
export function tokenCount(told: unknown): number | null {
  return typeof told === 'number' && Number.isSafeInteger(told) && told >= 0 ? told + 0 : null;
}

export function usageOf({ input, output, cached }: ToldUsage): ModelUsage {
  return {
    input_tokens: tokenCount(input),
    output_tokens: tokenCount(output),
    cached_input_tokens: tokenCount(cached ?? 0),
  };
}

/** A sum of counts; null when one of them, or the sum, is no count. */
export function sumOfCounts(told: readonly unknown[]): number | null {
  return told.reduce<number | null>((sum, each) => {
    const count = tokenCount(each);
    return sum === null || count === null ? null : tokenCount(sum + count);
  }, 0);
}

/** Longer words are never compared: a suggestion for them would not help, and the cost is quadratic. */
const MAX_WORD = 64;
/** Limit of compared candidates. */
const MAX_CANDIDATES = 2_000;

/**
 * The candidate that was probably meant, or undefined when none is near.
 * Near = at most a third of the letters differ (one letter for short words); letter case is free.
 * Of equally near candidates the first one wins, so the answer is stable.
 */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > MAX_WORD) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > MAX_CANDIDATES) break;
    if (candidate === word || Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The sentence for a person who wrote a name that nothing has: the one that was probably meant, else what else helps. */
export function suggestionOr(word: string, candidates: Iterable<string>, otherwise: string): string {
  const near = didYouMean(word, candidates);
  return near === undefined ? otherwise : `Did you mean "${near}"?`;
}

/**
 * Optimal string alignment distance (Damerau-Levenshtein without repeated edits of one place):
 * insertions, deletions, substitutions and swaps of neighbours. Stops at `limit` and returns it.
 */
export function editDistance(left: string, right: string, limit = MAX_WORD): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = nextRow(left, right, row, { previous, beforePrevious });
    if (Math.min(...current) >= limit) return limit;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(limit, previous[right.length] ?? limit);
}

interface Rows {
  previous: number[];
  beforePrevious: number[];
}

function nextRow(left: string, right: string, row: number, rows: Rows): number[] {
  const current = [row];
  for (let column = 1; column <= right.length; column++) {
    const same = left[row - 1] === right[column - 1];
    let cost = Math.min(
      (rows.previous[column] ?? 0) + 1,
      (current[column - 1] ?? 0) + 1,
      (rows.previous[column - 1] ?? 0) + (same ? 0 : 1),
    );
    const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
    if (swapped) cost = Math.min(cost, (rows.beforePrevious[column - 2] ?? 0) + 1);
    current.push(cost);
  }
  return current;
}

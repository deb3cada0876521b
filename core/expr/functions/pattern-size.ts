/** Parts of a pattern with counted repetitions written out: they decide what compiling and matching cost. */
export const MAX_PATTERN_PARTS = 5_000;

interface Level {
  size: number;
  /** Size of what a repetition behind it repeats. */
  last: number;
}

/**
 * An upper bound of the parts that a pattern is compiled to, in one pass: a character, a class or an escape is one, a group is what
 * it holds, `{n,m}` repeats what stands before it m times. Of a text that is no pattern it means nothing.
 */
export function patternSize(source: string): number {
  const open: Level[] = [];
  let level: Level = { size: 0, last: 0 };
  for (let at = 0; at < source.length; at++) {
    const sign = source[at];
    if (sign === '(') {
      open.push(level);
      level = { size: 1, last: 0 };
    } else if (sign === ')') {
      const inner = level.size + 1;
      level = open.pop() ?? { size: 0, last: 0 };
      add(level, inner);
    } else if (sign === '[') {
      at = endOfClass(source, at);
      add(level, 2);
    } else if (sign === '{' && countAt(source, at) !== undefined) {
      const { count, length } = countAt(source, at) ?? { count: 1, length: 0 };
      level.size += level.last * (count - 1) + 1;
      level.last *= count;
      at += length;
    } else if (sign === '\\') {
      at += 1;
      add(level, 2);
    } else {
      add(level, 1);
    }
  }
  return open.reduce((sum, { size }) => sum + size, level.size);
}

function add(level: Level, size: number): void {
  level.size += size;
  level.last = size;
}

function endOfClass(source: string, start: number): number {
  // A bracket in front is a character of the class.
  const first = source[start + 1] === '^' ? start + 2 : start + 1;
  for (let at = source[first] === ']' ? first + 1 : first; at < source.length; at++) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === ']') return at;
  }
  return source.length;
}

const COUNT = /\{(\d{1,4})(?:(,)(\d{0,4}))?\}/y;

function countAt(source: string, at: number): { count: number; length: number } | undefined {
  COUNT.lastIndex = at;
  const found = COUNT.exec(source);
  if (found === null) return undefined;
  const [whole, least = '', comma, most = ''] = found;
  const count = comma === undefined ? Number(least) : Math.max(Number(least) + 1, Number(most));
  return { count: Math.max(1, count), length: whole.length - 1 };
}

/**
 * Paths of what holds the nodes of an XPath, one for each alternative (`a | b`); nothing where the path names no holder: `feed` and
 * `//entry` say nothing of a document that has none. `a//b` is held by `a`.
 */
export function parentPaths(path: string): (string | undefined)[] {
  return splitAt(path, '|').map((alternative) => parentOf(alternative.trim()));
}

function parentOf(path: string): string | undefined {
  const steps = splitAt(path, '/');
  const holder = steps.slice(0, -1).join('/').replace(/\/+$/, '');
  return holder.trim() === '' || /^[./]*$/.test(holder.trim()) ? undefined : holder;
}

/** Splits outside of quotes, brackets and parentheses. */
function splitAt(path: string, mark: string): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const character of path) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '[' || character === '(') depth += 1;
    else if (character === ']' || character === ')') depth -= 1;
    if (character === mark && depth === 0 && quote === '') parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

import { parseDotPath } from './path';
import { nearestName } from './fields';
import type { Report } from './report';

/** Fault of a path of a mapping; undefined = none. */
export type PathCheck = (path: string) => string | undefined;

export const checkDotPath: PathCheck = (path) =>
  parseDotPath(path) === undefined ? `\`${path}\` is no path; write it like \`data.items[0].name\`.` : undefined;

/** Any text names a column. */
export const checkColumn: PathCheck = () => undefined;

/** Paths into records whose fields are known: a name, or a dot path that begins with one. */
export function checkKnownField(known: readonly string[], report: Report): PathCheck {
  if (known.length === 0) {
    return checkColumn;
  }
  const names = new Set(known);
  return (path) => {
    const first = parseDotPath(path)?.[0];
    const begins = first?.kind === 'field' && names.has(first.name);
    if (begins || names.has(path)) {
      return undefined;
    }
    const { suggestion } = report.isFull ? {} : nearestName(path, known);
    return `\`${path}\` is no field of the record. Known: ${known.slice(0, 50).join(', ')}.${suggestion === undefined ? '' : ` ${suggestion}`}`;
  };
}

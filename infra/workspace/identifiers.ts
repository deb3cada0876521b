import { createHash } from 'node:crypto';

/** PostgreSQL cuts longer names silently; the rest of the 63 bytes is for a distinguishing suffix. */
const MAX_NAME = 48;
/** Columns that PostgreSQL or the platform has in every table. */
const RESERVED = ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid', '_id', '_run_id', '_step', '_saved_at'];

/** A name as an SQL identifier, whatever it holds. Every identifier in a workspace statement passes here. */
export function quoted(name: string): string {
  return `"${name.replaceAll('\0', '').replace(/"/g, '""')}"`;
}

/**
 * A readable SQL name for a name of the data: lower-case letters, digits and `_`, at most 63 bytes, unlike those
 * in `taken` and unlike the names every table has. The data's own name is kept beside it.
 */
export function sqlName(name: string, taken: ReadonlySet<string>): string {
  const base = readable(name);
  const usable = (candidate: string): boolean => !taken.has(candidate) && !RESERVED.includes(candidate);
  if (usable(base)) {
    return base;
  }
  const hash = createHash('sha256').update(name).digest('hex');
  let length = 4;
  while (length < 14 && !usable(`${base}_${hash.slice(0, length)}`)) {
    length += 2;
  }
  return `${base}_${hash.slice(0, length)}`;
}

function readable(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, MAX_NAME)
    .replace(/_+$/, '');
  if (plain === '') {
    return 'field';
  }
  return /^[0-9]/.test(plain) ? `f_${plain}` : plain;
}

/**
 * Offset of a character of a scalar's value in its source. YAML folds line breaks and strips indentation, so white
 * space is not comparable; the other characters keep their order: the n-th of the value is the n-th of the source.
 * @param source the scalar as written, with quotes or block header
 * @param index 0-based index into `value`
 * @returns 0-based index into `source`
 */
export function scalarOffset(source: string, value: string, index: number): number {
  const wanted = visibleBefore(value, index);
  const style = source[0];
  if (style === '|' || style === '>') return nth(source, source.indexOf('\n') + 1, wanted, plainUnit);
  if (style === '"') return nth(source, 1, wanted, escapedUnit);
  if (style === "'") return nth(source, 1, wanted, singleUnit);
  return nth(source, 0, wanted, plainUnit);
}

interface Unit {
  length: number;
  /** Characters of the value that are no white space. */
  visible: number;
}

function nth(source: string, from: number, wanted: number, unitAt: (source: string, at: number) => Unit): number {
  let left = wanted;
  for (let at = from; at < source.length;) {
    const unit = unitAt(source, at);
    if (unit.visible > left) return at;
    left -= unit.visible;
    at += unit.length;
  }
  return Math.max(from, source.length - 1);
}

function isSpace(unit: string | undefined): boolean {
  return unit === ' ' || unit === '\n' || unit === '\t' || unit === '\r';
}

function visibleBefore(value: string, index: number): number {
  let count = 0;
  for (let at = 0; at < index; at++) if (!isSpace(value[at])) count++;
  return count;
}

function plainUnit(source: string, at: number): Unit {
  return { length: 1, visible: isSpace(source[at]) ? 0 : 1 };
}

function singleUnit(source: string, at: number): Unit {
  if (source[at] === "'" && source[at + 1] === "'") return { length: 2, visible: 1 };
  return plainUnit(source, at);
}

const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function escapedUnit(source: string, at: number): Unit {
  if (source[at] !== '\\') return plainUnit(source, at);
  const kind = source[at + 1] ?? '';
  const digits = HEX_DIGITS[kind] ?? 0;
  if (digits === 0) return { length: 2, visible: isSpace(kind) || 'nrt'.includes(kind) ? 0 : 1 };
  const code = Number.parseInt(source.slice(at + 2, at + 2 + digits), 16);
  const blank = code === 32 || code === 10 || code === 9 || code === 13;
  return { length: 2 + digits, visible: blank ? 0 : code > 0xffff ? 2 : 1 };
}

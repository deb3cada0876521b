import { elementType, isList, isRecord } from './shape';

/**
 * exact: as it is. coerced: converted without loss. loose: works for some values only (a warning).
 * none: cannot work.
 */
export type Compatibility = 'exact' | 'coerced' | 'loose' | 'none';

/** Tells whether a value of type `from` may go into a slot of type `to`. */
export function compatibilityOf(from: string, to: string): Compatibility {
  const source = normal(from);
  const target = normal(to);
  if (source === target || target === 'any' || source === 'any') return 'exact';
  if (isList(source) && isList(target)) return listFit(elementType(source), elementType(target));
  if (isList(target)) return source === 'string' && target === 'string[]' ? 'coerced' : 'none';
  if (isList(source)) return 'none';
  return plainFit(source, target);
}

/** Lists hold what their elements hold, but nothing converts element by element. */
function listFit(source: string, target: string): Compatibility {
  if (source === 'any' || target === 'any') return 'exact';
  if (isRecord(source) && isRecord(target)) return recordFit(target);
  const fit = plainFit(source, target);
  return fit === 'coerced' ? 'exact' : fit;
}

function plainFit(source: string, target: string): Compatibility {
  if (source === target) return 'exact';
  if (isRecord(source) && isRecord(target)) return recordFit(target);
  if (isRecord(source) || isRecord(target)) return 'none';
  if (source === 'integer' && target === 'number') return 'coerced';
  if (source === 'date' && target === 'string') return 'exact';
  if (source === 'string' && target === 'date') return 'loose';
  if (source === 'number' && target === 'integer') return 'loose';
  if (target === 'string') return 'loose';
  return 'none';
}

/** Any record is a record; a record of unknown kind may lack what a special kind needs. */
function recordFit(target: string): Compatibility {
  return target === 'record' || target === 'object' ? 'exact' : 'loose';
}

function normal(type: string): string {
  if (type === 'entity_name') return 'string';
  return type === 'array' || type === 'list' ? 'any[]' : type;
}

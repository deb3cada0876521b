import type { Json } from '../base/json';
import { isJsonObject } from '../base/json';
import type { DotSegment } from './path';
import { readDotPath } from './path';

export interface PathFault {
  /** The part of the path that leads to the value in the way. */
  path: string;
  expected: string;
  found: Json;
}

/**
 * Finds the value in which a path ends early because it has another kind: `items[*].id` over a record. A missing field
 * is no fault.
 */
export function pathFaultOf(value: Json, segments: readonly DotSegment[]): PathFault | undefined {
  let current: Json | undefined = value;
  for (const [position, segment] of segments.entries()) {
    if (current === undefined || current === null) {
      return undefined;
    }
    const expected = expectedBy(segment, current);
    if (expected !== undefined) {
      return { path: pathText(segments.slice(0, position)), expected, found: current };
    }
    if (segment.kind === 'each') {
      return undefined;
    }
    current = readDotPath(current, [segment]);
  }
  return undefined;
}

function expectedBy(segment: DotSegment, value: Json): string | undefined {
  if (segment.kind !== 'field') {
    return Array.isArray(value) ? undefined : 'a list';
  }
  const fits = isJsonObject(value) || (Array.isArray(value) && /^\d+$/.test(segment.name));
  return fits ? undefined : 'a record';
}

/** Segments as a path. */
export function pathText(segments: readonly DotSegment[]): string {
  return segments.map(textOf).join('').replace(/^\./, '');
}

function textOf(segment: DotSegment): string {
  switch (segment.kind) {
    case 'each':
      return '[*]';
    case 'index':
      return `[${segment.index}]`;
    default:
      return /[.[\]"]/.test(segment.name) ? `["${segment.name}"]` : `.${segment.name}`;
  }
}

import type { FieldSpec } from '../actions/types';
import { didYouMean } from '../base/did-you-mean';
import type { PathSegment } from '../expr/types';

/**
 * Shape of a value as far as it is known before a run: its type and, for records and lists of records, their fields.
 */
export interface Shape {
  type: string;
  fields?: FieldSpec[];
}

export const ANY: Shape = { type: 'any' };
export const TEXT: Shape = { type: 'string' };

export interface PathProblem {
  message: string;
  suggestion?: string;
}

export function shapeOf(spec: FieldSpec): Shape {
  const type = spec.type === 'array' || spec.type === 'list' ? 'any[]' : spec.type;
  return spec.fields === undefined ? { type } : { type, fields: spec.fields };
}

export function isList(type: string): boolean {
  return type.endsWith('[]');
}

export function elementType(type: string): string {
  return type.slice(0, -2);
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'date', 'entity_name']);

/** A record under whatever name: entity, document, match, object... */
export function isRecord(type: string): boolean {
  return type !== 'any' && !isList(type) && !PLAIN.has(type);
}

/** The shape at the end of a path, or why the path leads nowhere. */
export function followPath(start: Shape, path: readonly PathSegment[], written: string): Shape | PathProblem {
  let shape = start;
  let lists = 0;
  for (const segment of path) {
    if (shape.type === 'any') return wrapped(ANY, lists);
    const next = step(shape, segment, written);
    if ('message' in next) return next;
    if (segment.kind === 'each') lists += 1;
    shape = next;
  }
  return wrapped(shape, lists);
}

function step(shape: Shape, segment: PathSegment, written: string): Shape | PathProblem {
  if (segment.kind === 'field') return field(shape, segment.name, written);
  if (!isList(shape.type)) {
    const mark = segment.kind === 'each' ? '[*]' : `[${segment.index}]`;
    return {
      message: `{${written}} uses ${mark} on ${typeWithArticle(shape.type)}, which is no list.`,
      suggestion: `Leave out ${mark}.`,
    };
  }
  const element = elementType(shape.type);
  return shape.fields === undefined ? { type: element } : { type: element, fields: shape.fields };
}

/** Names under which other languages have the number of elements. */
const LENGTHS: ReadonlySet<string> = new Set(['length', 'size', 'count']);

function field(shape: Shape, name: string, written: string): Shape | PathProblem {
  if (isList(shape.type)) {
    const message = `{${written}} reads the field \`${name}\` of a list.`;
    const whole = written.slice(0, written.lastIndexOf(`.${name}`));
    const suggestion = LENGTHS.has(name)
      ? `Write length({${whole}}) in an expression.`
      : `Write [*].${name} for the values of all elements, or [0].${name} for the first.`;
    return { message, suggestion };
  }
  if (!isRecord(shape.type)) {
    return {
      message: `{${written}} reads the field \`${name}\` of ${typeWithArticle(shape.type)}, which has no fields.`,
    };
  }
  if (shape.fields === undefined) return ANY;
  const found = shape.fields.find((candidate) => candidate.name === name);
  if (found) return shapeOf(found);
  const names = shape.fields.map((candidate) => candidate.name);
  const near = didYouMean(name, names);
  const known = `Known fields: ${names.slice(0, 20).join(', ')}.`;
  return {
    message: `{${written}} reads the field \`${name}\`, which does not exist there.`,
    suggestion: near === undefined ? known : `Did you mean \`${near}\`? ${known}`,
  };
}

function wrapped(shape: Shape, lists: number): Shape {
  if (lists === 0) return shape;
  // A projection keeps one level of list types; deeper ones are lists of lists.
  const type = lists === 1 && !isList(shape.type) ? `${shape.type}[]` : 'any[]';
  return shape.fields === undefined || type === 'any[]' ? { type } : { type, fields: shape.fields };
}

export function typeWithArticle(type: string): string {
  if (isList(type)) {
    const element = elementType(type);
    return element === 'any' ? 'a list' : `a list of ${element}`;
  }
  if (type === 'any') return 'a value of any type';
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

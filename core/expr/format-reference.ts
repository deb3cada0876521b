import { isNamePart, isNameStart } from './cursor';
import type { PathSegment } from './types';

/** Canonical text of a reference: `pull.results[0].name`, `rows[*]["First name"]`. */
export function formatPath(root: string, path: readonly PathSegment[]): string {
  return root + path.map(formatSegment).join('');
}

function formatSegment(segment: PathSegment): string {
  if (segment.kind === 'each') return '[*]';
  if (segment.kind === 'index') return `[${segment.index}]`;
  return isPlainName(segment.name) ? `.${segment.name}` : `[${JSON.stringify(segment.name)}]`;
}

function isPlainName(name: string): boolean {
  if (!isNameStart(name.charCodeAt(0))) return false;
  for (let index = 1; index < name.length; index++) {
    if (!isNamePart(name.charCodeAt(index))) return false;
  }
  return true;
}

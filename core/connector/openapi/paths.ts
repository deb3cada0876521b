import { PARAMETER_NAME } from '../patterns';
import { partName } from './draft-parameter';
import type { DraftParameter } from './draft-parameter';

export interface ImportedPath {
  path: string;
  /** Query parameters that the path fixes: `/search?kind=a`. */
  fixed: DraftParameter[];
}

/** A path as a definition writes it; nothing when it cannot be written. */
export function pathOf(written: string): ImportedPath | undefined {
  const [beforeHash = ''] = written.split('#', 1);
  const at = beforeHash.indexOf('?');
  const bare = at < 0 ? beforeHash : beforeHash.slice(0, at);
  const path = bare.replace(/\{([^{}]*)\}/g, (_all, name: string) => `{${partName(name)}}`).replace(/\s/g, '%20');
  if (!path.startsWith('/') || path.includes('\\') || path.length > 2000) return undefined;
  return { path, fixed: at < 0 ? [] : fixedOf(beforeHash.slice(at + 1)) };
}

function fixedOf(query: string): DraftParameter[] {
  return query.split('&').flatMap((pair): DraftParameter[] => {
    const [name = '', value = ''] = pair.split('=', 2);
    if (!PARAMETER_NAME.pattern.test(name) || value.includes('{')) return [];
    return [{ name, in: 'query', type: 'string', required: true, default: value, enum: [value] }];
  });
}

import type { JsonObject } from '../../base/json';
import { PARAMETER_NAME } from '../patterns';
import type { ParameterPlace } from '../types';

/** A parameter in the spelling of the language. */
export type DraftParameter = JsonObject & { name: string; in: ParameterPlace; type: string };

/** The name of a part of a path; it never travels, so it may be mended: `user id` → `user_id`. */
export function partName(name: string): string {
  if (PARAMETER_NAME.pattern.test(name)) return name;
  const mended = name
    .slice(0, 200)
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[^A-Za-z_]+/, '')
    .slice(0, 100);
  return PARAMETER_NAME.pattern.test(mended) ? mended : 'part';
}

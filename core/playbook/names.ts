import { isForbiddenName } from '../expr/forbidden';
import { shorten } from '../base/shorten';
import type { MapReader } from './map-reader';

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const MAX_NAME = 100;

/** Names of steps, inputs, output keys and loop variables follow one pattern, so that references can read them. */
export function checkName(reader: MapReader, field: string, name: string): boolean {
  if (reportForbidden(reader, field, name)) return false;
  if (name.length <= MAX_NAME && NAME.test(name)) return true;
  const message =
    name.length > MAX_NAME
      ? `\`${field}\` has ${name.length} characters; at most ${MAX_NAME} are allowed.`
      : `\`${field}\` is "${shorten(name)}", but a name has letters, digits, _ and -, and does not begin with a digit or -.`;
  const fixed = name
    .slice(0, MAX_NAME)
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^(?=[0-9-])/, '_');
  reader.report(
    { code: 'invalid_name', message, ...(NAME.test(fixed) ? { suggestion: `Write ${fixed}.` } : {}) },
    field,
  );
  return false;
}

/** Names under which a plain object holds something of its own: nothing of a playbook is called so. */
export function reportForbidden(reader: MapReader, field: string, name: string): boolean {
  if (!isForbiddenName(name)) return false;
  const message = `\`${field}\` is "${name}", a name that JavaScript objects use themselves; no reference could reach it.`;
  reader.report({ code: 'reserved_name', message, suggestion: 'Choose another name.' }, field);
  return true;
}

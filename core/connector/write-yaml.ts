import { stringify } from 'yaml';
import type { JsonObject } from '../base/json';

/** A definition as the text that a person would write: block style, no line breaks inside values, no anchors. */
export function writeYaml(definition: JsonObject): string {
  return stringify(definition, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false });
}

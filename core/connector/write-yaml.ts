import { Document, Scalar, visit } from 'yaml';
import type { JsonObject } from '../base/json';
import { isOtherYamlNumber } from '../base/yaml-number';

/** A definition as the text that a person would write: block style, no line breaks inside values, no anchors. */
export function writeYaml(definition: JsonObject): string {
  const document = new Document(definition, { version: '1.2', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, scalar) => {
      // The library quotes what YAML 1.2 reads as a number alone.
      if (typeof scalar.value === 'string' && isOtherYamlNumber(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0 });
}

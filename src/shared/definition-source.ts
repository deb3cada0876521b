import { createHash } from 'node:crypto';
import { registerDecorator } from 'class-validator';

/** Text, or the definition itself as a JSON object. */
export type Source = string | Record<string, unknown>;

/** `source` of a definition: text, or the definition itself as a JSON object. */
export function IsDefinitionSource(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isDefinitionSource',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
        defaultMessage: () => 'source must be YAML or JSON text, or a JSON object',
      },
    });
}

/** The text that is stored and validated: an object becomes readable JSON, so that positions mean something. */
export function sourceText(source: Source): string {
  return typeof source === 'string' ? source : JSON.stringify(source, null, 2);
}

/** SHA-256 of the text: the same text is never a second version. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function formatOf(text: string): 'yaml' | 'json' {
  return /^\s*[{[]/.test(text) ? 'json' : 'yaml';
}

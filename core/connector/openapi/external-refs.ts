import type { Json } from '../../base/json';
import { isJsonObject, ownField } from '../../base/json';
import { parseReference } from './pointer';

/** Keys below which a `$ref` is an example value, no reference. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-example', 'x-examples']);

/** The other documents that a document refers to, as it writes them, each once and in their order. */
export function externalFiles(document: Json): string[] {
  const files = new Set<string>();
  const stack: Json[] = [document];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index -= 1) stack.push(value[index] ?? null);
    } else if (isJsonObject(value)) {
      addFile(files, ownField(value, '$ref'));
      const inner = Object.entries(value).filter(([key]) => !DATA.has(key));
      for (const [, item] of inner.reverse()) stack.push(item);
    }
  }
  return [...files];
}

function addFile(files: Set<string>, ref: Json | undefined): void {
  const file = typeof ref === 'string' ? parseReference(ref)?.file : undefined;
  if (file !== undefined && file !== '') files.add(file);
}

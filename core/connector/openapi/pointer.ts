/** A `$ref` in its two parts: the document (empty = this one) and the place in it. */
export interface Reference {
  file: string;
  pointer: readonly string[];
}

/** Parts of a `$ref`; nothing when its fragment is no JSON Pointer (RFC 6901), such as the name of an anchor. */
export function parseReference(text: string): Reference | undefined {
  const hash = text.indexOf('#');
  const file = hash < 0 ? text : text.slice(0, hash);
  const fragment = hash < 0 ? '' : text.slice(hash + 1);
  if (fragment === '' || fragment === '/') {
    return { file, pointer: [] };
  }
  if (!fragment.startsWith('/')) {
    return undefined;
  }
  const pointer = fragment.slice(1).split('/').map(decoded);
  return pointer.includes(undefined) ? undefined : { file, pointer: pointer as string[] };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}

import { parseDocument } from 'yaml';

interface Changes {
  id?: string | undefined;
  name?: string | undefined;
  /** True when its secret is sent nowhere before its owner has confirmed the places. */
  imported: boolean;
}

/** A template's text with what is said anew; its comments stay. */
export function templateText(source: string, { id, name, imported }: Changes): string {
  if (id === undefined && name === undefined && !imported) return source;
  const document = parseDocument(source);
  if (id !== undefined) document.set('id', id);
  if (name !== undefined) document.set('name', name);
  if (imported) document.set('imported', true);
  return document.toString({ lineWidth: 0 });
}

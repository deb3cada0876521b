import { parseDocument } from 'yaml';

/** A template's text under another id and name; its comments stay. */
export function templateText(source: string, names: { id?: string | undefined; name?: string | undefined }): string {
  if (names.id === undefined && names.name === undefined) return source;
  const document = parseDocument(source);
  if (names.id !== undefined) document.set('id', names.id);
  if (names.name !== undefined) document.set('name', names.name);
  return document.toString({ lineWidth: 0 });
}

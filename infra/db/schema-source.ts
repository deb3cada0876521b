import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What is made anew as a whole when one of it changes, in the order in which one kind rests on another. */
export const REPEATABLE = ['types', 'functions', 'triggers', 'policies', 'grants'] as const;

export interface SchemaSource {
  /** Goes up with every change (`npm run schema`), so that an earlier build does not put its own in place of a later one's. */
  version: number;
  /** SHA-256 over names and texts of all files. */
  hash: string;
  /** All files as one script. */
  text: string;
}

const FOLDER = path.join(__dirname, 'schema');

let own: number | undefined;

/** The version that this build brings. */
export function schemaVersion(): number {
  return (own ??= versionIn(FOLDER));
}

/** The repeatable part of the schema, from the files below `folder`. */
export function readSchemaSource(folder = FOLDER): SchemaSource {
  const hash = createHash('sha256');
  const texts: string[] = [];
  for (const kind of REPEATABLE) {
    for (const file of readdirSync(path.join(folder, kind)).sort()) {
      const text = readFileSync(path.join(folder, kind, file), 'utf8');
      hash.update(`${kind}/${file}\0${text}\0`);
      texts.push(text);
    }
  }
  return { version: versionIn(folder), hash: hash.digest('hex'), text: texts.join('\n') };
}

function versionIn(folder: string): number {
  return (JSON.parse(readFileSync(path.join(folder, 'version.json'), 'utf8')) as { version: number }).version;
}

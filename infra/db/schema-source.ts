import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readSchemaFiles } from './schema-files';

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
  return { version: versionIn(folder), ...readSchemaFiles(folder) };
}

function versionIn(folder: string): number {
  return (JSON.parse(readFileSync(path.join(folder, 'version.json'), 'utf8')) as { version: number }).version;
}

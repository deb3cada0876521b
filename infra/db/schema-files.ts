import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// Scripts load this file as it is: it imports nothing of ours and keeps to syntax that Node strips.

/** Kinds of objects that are made anew as a whole when one changes, in the order of their dependencies. */
export const REPEATABLE = ['types', 'functions', 'triggers', 'policies', 'grants'] as const;

/** All files of the repeatable part below `folder` as one script, and the SHA-256 over their names and texts. */
export function readSchemaFiles(folder: string): { text: string; hash: string } {
  const hash = createHash('sha256');
  const texts: string[] = [];
  for (const kind of REPEATABLE) {
    for (const file of readdirSync(path.join(folder, kind)).sort()) {
      const text = readFileSync(path.join(folder, kind, file), 'utf8');
      hash.update(`${kind}/${file}\0${text}\0`);
      texts.push(text);
    }
  }
  return { text: texts.join('\n'), hash: hash.digest('hex') };
}

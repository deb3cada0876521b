import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, ownField, type Json } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { isOpenToOthers } from '../owner-only';

const FILE = 'secrets.json';

/**
 * Secrets of the local user as they were kept before they were encrypted: `{"name": "value"}` in `secrets.json` of the
 * home directory, readable by its owner alone. Looked up at each use: a changed file counts at once, and the next start
 * takes it into the database (import-file.ts).
 */
export class Secrets {
  readonly path: string;
  private stamp = '';
  private values = new Map<string, string>();

  constructor(home: string) {
    this.path = join(home, FILE);
  }

  /** Undefined where it is not in the file. Throws `secrets_file_unsafe` or `secrets_file_invalid`. */
  find(name: string): string | undefined {
    this.refresh();
    return this.values.get(name);
  }

  /** Entries of the file; empty if there is none. Throws as `find`. */
  entries(): [name: string, value: string][] {
    this.refresh();
    return [...this.values];
  }

  private refresh(): void {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    if (stat === undefined) {
      this.stamp = '';
      this.values = new Map();
      return;
    }
    if (isOpenToOthers(stat)) {
      throw new AppError(
        'secrets_file_unsafe',
        `${FILE} can be read by other users. Run: chmod 600 ${FILE} in AF_HOME.`,
        {
          category: 'forbidden',
        },
      );
    }
    const stamp = `${stat.mtimeMs}/${stat.size}/${stat.ino}`;
    if (stamp !== this.stamp) {
      this.values = parse(readFileSync(this.path, 'utf8'));
      this.stamp = stamp;
    }
  }
}

function parse(text: string): Map<string, string> {
  let parsed: Json | undefined;
  try {
    parsed = JSON.parse(text) as Json;
  } catch {
    // Hides the parser's message too: it quotes the text.
  }
  const object = isJsonObject(parsed) ? parsed : undefined;
  const entries = Object.keys(object ?? {}).map((name) => [name, object && ownField(object, name)] as const);
  const wrong = entries.find(([, value]) => typeof value !== 'string' || value === '');
  if (object === undefined || wrong !== undefined) {
    const what = wrong === undefined ? 'is not a JSON object' : `has no text for "${wrong[0]}"`;
    throw new AppError('secrets_file_invalid', `${FILE} ${what}. Expected {"name": "value"}.`, {
      category: 'validation',
    });
  }
  return new Map(entries as [string, string][]);
}

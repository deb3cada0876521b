import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, ownField, type Json } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';

const OTHERS = 0o077;
const FILE = 'secrets.json';

/**
 * Secrets of the local user: `{"name": "value"}` in `secrets.json` of the home directory, readable by its owner alone.
 * Looked up at each use: a changed file counts at once.
 */
export class Secrets {
  private readonly path: string;
  private stamp = '';
  private values = new Map<string, string>();

  constructor(home: string) {
    this.path = join(home, FILE);
  }

  /** Throws `secret_not_found` (naming it), `secrets_file_unsafe` or `secrets_file_invalid`. */
  resolve(name: string): string {
    this.refresh();
    const value = this.values.get(name);
    if (value === undefined) {
      throw new AppError(
        'secret_not_found',
        `There is no secret "${name}". Add it to ${FILE} in AF_HOME (mode 0600).`,
        {
          category: 'not_found',
        },
      );
    }
    return value;
  }

  /** Every value that must not be shown; empty while the file cannot be read. */
  all(): string[] {
    try {
      this.refresh();
    } catch {
      // Whoever resolves a secret gets the error; the last values known stay masked.
    }
    return [...this.values.values()];
  }

  private refresh(): void {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    if (stat === undefined) {
      this.stamp = '';
      this.values = new Map();
      return;
    }
    if ((stat.mode & OTHERS) !== 0) {
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
    // Not even the parser's message is passed on: it quotes the text.
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

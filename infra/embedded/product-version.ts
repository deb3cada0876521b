import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from './home';

let version: string | undefined;

/** Version of package.json; `unknown` without one: no start fails for that. */
export function productVersion(): string {
  return (version ??= read());
}

function read(): string {
  try {
    const found = JSON.parse(readFileSync(path.join(projectFolder(), 'package.json'), 'utf8')) as { version?: unknown };
    return typeof found.version === 'string' ? found.version : 'unknown';
  } catch {
    return 'unknown';
  }
}

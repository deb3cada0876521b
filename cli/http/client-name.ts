import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../infra/embedded/home';

let name: string | undefined;

/** Says to the API who calls: `cli/<version of the product>`. */
export function clientName(): string {
  return (name ??= `cli/${productVersion()}`);
}

function productVersion(): string {
  try {
    const { version } = JSON.parse(readFileSync(path.join(projectFolder(), 'package.json'), 'utf8')) as {
      version?: unknown;
    };
    return typeof version === 'string' ? version : 'unknown';
  } catch {
    // A header is no reason to fail.
    return 'unknown';
  }
}

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newFolder } from '../support/run-folder';

const ROOT = path.resolve(__dirname, '../..');
const RULE = 'no-restricted-globals';

/** The files of a little tree in which the linter, with our rules, finds a forbidden global. */
function offenders(files: Record<string, string>): string[] {
  const folder = newFolder('lint');
  copyFileSync(path.join(ROOT, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const program = path.join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [program, '--format', 'json'], { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  return diagnostics.filter(({ code }) => code.includes(RULE)).map(({ filename }) => filename);
}

const a = 'export const a: unknown =';

describe('globals that open connections', () => {
  it('are found wherever the product must not use them', () => {
    const found = {
      'src/runs/a.ts': `${a} fetch('https://example.org');\n`,
      'connectors/b.ts': `${a} globalThis.fetch('https://example.org');\n`,
      'activities/c.ts': `${a} new WebSocket('wss://example.org');\n`,
      'worker/d.ts': `${a} new EventSource('https://example.org');\n`,
      'core/base/e.ts': `const send = fetch;\n${a} send;\n`,
      'infra/egress/f.ts': `${a} fetch('https://example.org');\n`,
      'workflows/g.ts': `${a} global.fetch('https://example.org');\n`,
    };
    const left = {
      'cli/http/api.ts': `${a} fetch('http://127.0.0.1:3000');\n`,
      'test/b.ts': `${a} fetch('http://127.0.0.1');\n`,
      'connectors/c.ts': `export function a(egress: { fetch(): unknown }): unknown {\n  return egress.fetch();\n}\n`,
    };
    expect(offenders({ ...found, ...left }).sort()).toEqual(Object.keys(found).sort());
  });
});

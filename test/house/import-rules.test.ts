import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/run-folder';

const ROOT = path.resolve(__dirname, '../..');

/** Violations of our rules in a little tree, as `rule: file`. */
function violations(files: Record<string, string>): string[] {
  const folder = newFolder('imports');
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    copyFileSync(path.join(ROOT, name), path.join(folder, name));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const program = path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const folders = [...new Set(Object.keys(files).map((name) => name.split('/')[0] ?? ''))];
  const args = [program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const report = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  return report.summary.violations.map((violation) => `${violation.rule.name}: ${violation.from}`);
}

/** A file of one export that comes from another one. */
function uses(target: string): string {
  return `import { b } from '${target}';\nexport const a: number = b;\n`;
}

const leaf = 'export const b = 1;\n';

describe('import rules', () => {
  it('find every forbidden import', () => {
    const found = violations({
      'core/base/node.ts': uses('node:fs'),
      'core/base/driver.ts': uses('pg'),
      'core/base/one.ts': `import { a } from './two';\nexport const b: number = a;\n`,
      'core/base/two.ts': uses('./one'),
      'core/validate/parser.ts': uses('yaml'),
      'core/playbook/parser.ts': uses('yaml'),
      'core/graph/parser.ts': uses('../playbook/parser'),
      'workflows/driver.ts': uses('pg'),
      'workflows/value.ts': uses('../activities/leaf'),
      'workflows/roundabout.ts': uses('../core/playbook/parser'),
      'activities/leaf.ts': leaf,
      'activities/api.ts': uses('../src/leaf'),
      'infra/worker.ts': uses('../worker/leaf'),
      'infra/temporal/failure-converter.ts': uses('../db/leaf'),
      'infra/tests.ts': uses('../test/leaf'),
      'infra/secrets/source.ts': `import type { A } from '../../connectors/leaf';\nexport type B = A;\n`,
      'connectors/leaf.ts': `${leaf}export type A = number;\n`,
      'connectors/step.ts': uses('../activities/leaf'),
      'workflows/call.ts': uses('../connectors/leaf'),
      'cli/call.ts': uses('../connectors/leaf'),
      'infra/db/leaf.ts': leaf,
      'src/leaf.ts': leaf,
      'src/activity.ts': uses('../activities/leaf'),
      'worker/leaf.ts': leaf,
      'worker/api.ts': uses('../src/leaf'),
      'cli/database.ts': uses('../infra/db/leaf'),
      'cli/gone.ts': uses('./nowhere'),
      'test/leaf.ts': leaf,
    });
    expect(found).toEqual(
      expect.arrayContaining([
        'core-is-pure: core/base/node.ts',
        'core-is-pure: core/base/driver.ts',
        'no-cycles: core/base/one.ts',
        'core-parsers-in-parsing: core/validate/parser.ts',
        'core-runtime-is-light: core/graph/parser.ts',
        'workflows-are-thin: workflows/driver.ts',
        'workflows-see-types-of-activities: workflows/value.ts',
        'workflows-without-parsers: workflows/roundabout.ts',
        'activities-use-core-infra-and-connectors: activities/api.ts',
        'infra-uses-core: infra/worker.ts',
        'infra-knows-no-connectors: infra/secrets/source.ts',
        'connectors-use-core-and-infra: connectors/step.ts',
        'workflows-are-thin: workflows/call.ts',
        'cli-uses-the-api: cli/call.ts',
        'the-failure-converter-is-bundled: infra/temporal/failure-converter.ts',
        'nothing-imports-tests: infra/tests.ts',
        'api-uses-core-infra-and-connectors: src/activity.ts',
        'worker-composes: worker/api.ts',
        'cli-uses-the-api: cli/database.ts',
        'no-unresolved: cli/gone.ts',
      ]),
    );
  });

  it('know one way out', () => {
    const ways = ['node:http', 'https', 'node:net', 'tls', 'node:dns/promises', 'node:dns', 'node:http2', 'dgram'];
    const name = (way: string): string => way.replace(/\W/g, '-');
    const required = `export async function a(): Promise<unknown> {\n  return import('node:net');\n}\n`;
    const found = violations({
      ...Object.fromEntries(ways.map((way) => [`connectors/${name(way)}.ts`, uses(way)])),
      ...Object.fromEntries(ways.map((way) => [`src/connectors/${name(way)}.ts`, uses(way)])),
      'activities/later.ts': required,
      'worker/required.cts': `import net = require('node:net');\nexport const a = net;\n`,
      'src/app/asks.ts': uses('https'),
      'connectors/client.ts': uses('undici'),
      'infra/llm/client.ts': uses('undici'),
      'connectors/model.ts': uses('openai'),
      'infra/secrets/database.ts': uses('pg'),
      'infra/secrets/orm.ts': uses('typeorm'),
      'src/secrets/orm.ts': `import type { DataSource } from 'typeorm';\nexport type A = DataSource;\n`,
      'cli/model.ts': uses('@anthropic-ai/sdk'),
    });
    expect(found).toEqual(
      expect.arrayContaining([
        ...ways.map((way) => `one-way-out: connectors/${name(way)}.ts`),
        ...ways.map((way) => `one-way-out: src/connectors/${name(way)}.ts`),
        'one-way-out: activities/later.ts',
        'one-way-out: worker/required.cts',
        'the-api-only-listens: src/app/asks.ts',
        'http-client-in-egress: connectors/client.ts',
        'http-client-in-egress: infra/llm/client.ts',
        'models-in-llm: connectors/model.ts',
        'databases-by-two-ways: infra/secrets/database.ts',
        'orm-in-db: infra/secrets/orm.ts',
        'orm-in-db: src/secrets/orm.ts',
        'models-in-llm: cli/model.ts',
      ]),
    );
  });

  it('leave the way out to the guard, our own servers to their clients, and types to everybody', () => {
    const found = violations({
      'infra/egress/guard.ts': `${uses('node:net')}export { Agent } from 'undici';\n`,
      'infra/embedded/ports.ts': uses('node:net'),
      'infra/db/pool.ts': uses('pg'),
      'infra/db/orm.ts': uses('typeorm'),
      'migrations/one.ts': uses('typeorm'),
      'connectors/kinds/database/client.ts': uses('pg'),
      'infra/llm/sdk.ts': uses('openai'),
      'src/app/server.ts': uses('node:http'),
      'src/access/types.ts': `import type { IncomingMessage } from 'node:http';\nexport type A = IncomingMessage;\n`,
    });
    expect(found).toEqual([]);
  });

  it('let workflows see types of activities, and core read YAML where it parses', () => {
    const found = violations({
      'workflows/a.ts': `import type { B } from '../activities/b';\nimport { b } from '../core/base/leaf';\nexport const a: B = b;\n`,
      'activities/b.ts': 'export type B = number;\n',
      'core/base/leaf.ts': leaf,
      'core/playbook/c.ts': uses('yaml'),
    });
    expect(found).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../core/errors/app-error';
import { configVariables, parseConfig } from '../../../infra/config/config';
import { configurationTable } from '../../../infra/config/docs-table';

function problemsOf(env: Record<string, string>): string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    return error instanceof AppError ? error.problems.map((problem) => problem.field ?? '') : ['not an AppError'];
  }
}

describe('configuration', () => {
  it('needs nothing: every variable has a default or may be missing', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({
      home: resolve('.af'),
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      dbPool: 10,
      temporalNamespace: 'default',
      queuePrefix: '',
      timeZone: 'UTC',
      egressAllow: [],
      robotsOverride: [],
      importDirs: [],
      models: [],
      signalApprovals: false,
      supervise: true,
      valueLimitBytes: 1_048_576,
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.models)).toBe(true);
  });

  it('reads lists, flags, paths and numbers', () => {
    expect(
      parseConfig({
        AF_EGRESS_ALLOW: '127.0.0.1:8080, [::1]:9,intranet.local:443',
        AF_ROBOTS_OVERRIDE: 'intranet.local:8080, *.example.org',
        AF_IMPORT_DIRS: '/data:relative,/more',
        AF_MODELS: 'anthropic/claude-x, openai/gpt-y/z',
        AF_SIGNAL_APPROVALS: 'On',
        AF_SUPERVISE: '0',
        AF_PORT: ' 8080 ',
        AF_TIME_ZONE: 'America/New_York',
        DATABASE_URL: 'postgres://u:p@h:5432/d',
        OPENAI_API_KEY: '',
      }),
    ).toMatchObject({
      egressAllow: ['127.0.0.1:8080', '[::1]:9', 'intranet.local:443'],
      robotsOverride: ['intranet.local:8080', '*.example.org'],
      importDirs: ['/data', resolve('relative'), '/more'],
      models: ['anthropic/claude-x', 'openai/gpt-y/z'],
      signalApprovals: true,
      supervise: false,
      port: 8080,
      timeZone: 'America/New_York',
      openaiApiKey: undefined,
    });
  });

  it('names every bad variable and what was expected, and repeats no value', () => {
    const env = {
      AF_PORT: 'eighty',
      AF_TIME_ZONE: 'Mars/Base',
      AF_MODELS: 'gpt',
      DATABASE_URL: 'mysql://root:hunter2@h/d',
    };
    expect(problemsOf(env).sort()).toEqual(['AF_MODELS', 'AF_PORT', 'AF_TIME_ZONE', 'DATABASE_URL']);
    expect(() => parseConfig(env)).toThrow(/AF_PORT: expected a port number from 1 to 65535/);
    expect(() => parseConfig(env)).not.toThrow(/hunter2/);
  });

  it.each([
    ['AF_PORT', '0'],
    ['AF_PORT', '65536'],
    ['AF_PORT', '1e3'],
    ['AF_DB_POOL', '-1'],
    ['AF_TIME_ZONE', '+01:00'],
    ['AF_EGRESS_ALLOW', 'host-without-port'],
    ['AF_LOG_LEVEL', 'loud'],
    ['AF_SUPERVISE', 'maybe'],
    ['TEMPORAL_ADDRESS', 'localhost'],
    ['OPENAI_BASE_URL', 'ftp://x'],
    ['AF_QUEUE_PREFIX', 'a b'],
    ['AF_VALUE_LIMIT_BYTES', '1'],
    ['AF_HEARTBEAT_TIMEOUT_SECONDS', '5'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([name]);
  });

  it('names and describes each variable once', () => {
    const names = configVariables.map((variable) => variable.name);
    expect(new Set(names).size).toBe(names.length);
    expect(configVariables.every((variable) => variable.description.endsWith('.'))).toBe(true);
  });

  it('docs/configuration.md is current', () => {
    const page = readFileSync(join(__dirname, '../../../docs/configuration.md'), 'utf8');
    expect(page).toContain(configurationTable());
  });
});

'use strict';
const { getHeapStatistics } = require('node:v8');
const FULL_SIZE = require('./test/support/full-size.json');

const shared = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/support/jest-environment.cjs',
  runtime: '<rootDir>/test/support/jest-runtime.cjs',
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist[/.]', '<rootDir>/\\.af/'],
  transform: { '\\.ts$': ['@swc/jest'] },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** Projects by cost; `jest --selectProjects small` runs one. */
const folders = {
  small: [
    'core',
    'infra',
    'connectors',
    'activities',
    'worker',
    'workflows',
    'cli',
    'scripts',
    'support',
    'house',
    'src',
  ],
  db: ['db'],
  api: ['api'],
  replay: ['replay'],
  e2e: ['e2e'],
  fault: ['fault'],
};
// A worker that starts again compiles everything again, so only one that leaks does: half of what Node lets it have.
const IDLE_BYTES = Math.min(1_200_000_000, Math.floor(getHeapStatistics().heap_size_limit / 2));
// Tests wait for conditions with generous limits: this is the end of a hung test, not a measure.
const TEST_TIMEOUT_MS = 600_000;

// Files with a full size that are no fault cases belongs to them when they run at theirs.
const inFullSize = process.env.AF_FAULT_FULL === '1' ? FULL_SIZE.map((file) => `<rootDir>/${file}`) : [];
const filesOf = (name, names) => [
  ...names.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
  ...(name === 'fault' ? inFullSize : inFullSize.map((file) => `!${file}`)),
];

module.exports = {
  maxWorkers: 2,
  testTimeout: TEST_TIMEOUT_MS,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  workerIdleMemoryLimit: IDLE_BYTES,
  projects: Object.entries(folders).map(([name, names]) => ({
    ...shared,
    displayName: name,
    testMatch: filesOf(name, names),
  })),
};

'use strict';
// Every test file loads the product anew, as Jest does it: a mutant is switched on by a global that each module reads.
const path = require('node:path');

const tests = (process.env.AF_MUTANT_TESTS ?? 'test/core').split(',');
module.exports = {
  rootDir: path.resolve(__dirname, '../..'),
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist[/.]', '<rootDir>/\\.af/'],
  transform: { '\\.ts$': ['@swc/jest'] },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 600_000,
  testMatch: tests.map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
};

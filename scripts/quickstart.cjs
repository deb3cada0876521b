'use strict';
const { prepare } = require('./lib/prepare.cjs');
const { become, fail } = require('./lib/runtime.cjs');

try {
  prepare();
  become('cli/main.js', ['quickstart', ...process.argv.slice(2)]);
} catch (error) {
  fail(error);
}

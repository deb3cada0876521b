#!/usr/bin/env node
'use strict';
const { become, fail } = require('../scripts/lib/runtime.cjs');

try {
  become('cli/main.js', process.argv.slice(2));
} catch (error) {
  fail(error);
}

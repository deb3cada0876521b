'use strict';
// The order of the test files: the longest first, so that no worker is left with a long one at the end. What this clone
// has run before is known to the cache; a fresh clone goes by the list.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const SECONDS = require('./long-files.json');

const ROOT = path.resolve(__dirname, '../..');
/** Of a file that is not in the list. */
const USUAL = { small: 1, replay: 2, db: 4, api: 6, e2e: 60, fault: 60 };

module.exports = class LongestFirst extends Sequencer {
  time(test) {
    const listed = SECONDS[path.relative(ROOT, test.path)];
    const project = test.context.config.displayName?.name;
    return super.time(test) ?? 1000 * (listed ?? USUAL[project] ?? 1);
  }
};

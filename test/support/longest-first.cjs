'use strict';
// Orders the test files: the longest first, so that no worker begins a long one at the end. The cache knows the times of
// earlier runs in this clone; a fresh clone uses the list.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const SECONDS = require('./long-files.json');

const ROOT = path.resolve(__dirname, '../..');
/** Time of a file that is not in the list. */
const USUAL = { small: 1, replay: 2, db: 4, api: 6, e2e: 60, fault: 60 };

module.exports = class LongestFirst extends Sequencer {
  time(test) {
    const listed = SECONDS[path.relative(ROOT, test.path)];
    const project = test.context.config.displayName?.name;
    return super.time(test) ?? 1000 * (listed ?? USUAL[project] ?? 1);
  }
};

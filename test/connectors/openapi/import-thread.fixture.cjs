'use strict';
const hook = require('../../support/ts-hook.cjs');
const sources = require('../../../connectors/openapi/import-thread.ts');

module.exports = { ...hook, ...sources };

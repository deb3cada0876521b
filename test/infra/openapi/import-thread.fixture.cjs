'use strict';
require('../../support/ts-hook.cjs');
module.exports = require('../../../infra/openapi/import-thread.ts');

'use strict';
// `node -r test/support/ts-hook.cjs file.ts`: runs a source file as a process of its own, without a build.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const configFile = path.resolve(__dirname, '../../.swcrc');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { filename, configFile, sourceMaps: 'inline' });
  module._compile(code, filename);
};

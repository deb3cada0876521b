'use strict';
// Jest runs CommonJS; packages that are ES modules are turned into it here. Everything else passes unchanged.
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const kinds = new Map();

function isModuleFolder(folder) {
  if (!kinds.has(folder)) {
    const manifest = path.join(folder, 'package.json');
    const parent = path.dirname(folder);
    if (existsSync(manifest)) kinds.set(folder, JSON.parse(readFileSync(manifest, 'utf8')).type === 'module');
    else kinds.set(folder, parent !== folder && isModuleFolder(parent));
  }
  return kinds.get(folder);
}

exports.process = (code, filename) => {
  const isModule = filename.endsWith('.mjs') || (filename.endsWith('.js') && isModuleFolder(path.dirname(filename)));
  if (!isModule) return { code };
  const parser = { syntax: 'ecmascript', importAttributes: true };
  return transformSync(code, {
    filename,
    swcrc: false,
    configFile: false,
    module: { type: 'commonjs' },
    jsc: { target: 'es2023', parser },
  });
};

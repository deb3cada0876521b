'use strict';
// Jest loads every module again for every test file. Here a worker loads packages and the product once, as Node itself
// does: NestJS, TypeORM, Temporal and a thousand files of ours took a third of the tests' time. Files in test/ are
// evaluated for each test file, and compiled once.
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { maps } = require('./ts-hook.cjs');

// Otherwise V8 throws away compiled code that was not used during a few collections.
v8.setFlagsFromString('--no-flush-bytecode');

const TESTS = path.resolve(__dirname, '..') + path.sep;
/** Cache of this worker: file name -> its source and its compiled code. */
const compiled = new Map();

class SharingRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => scriptOf({ source, filename, head }).runInThisContext();
  }

  requireModuleOrMock(from, name) {
    return isShared(from, name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    return { get: (file) => own.get(file) ?? maps.get(file), [Symbol.iterator]: () => own[Symbol.iterator]() };
  }
}

function isShared(from, name) {
  if (/^\.{1,2}(\/|$)/.test(name)) return !path.resolve(path.dirname(from), name).startsWith(TESTS);
  return !path.isAbsolute(name) && name !== '@jest/globals' && !isBuiltin(name);
}

function scriptOf({ source, filename, head }) {
  const known = compiled.get(filename);
  if (known !== undefined && known.source === source && known.head === head) return known.script;
  const script = new vm.Script(`${head}${source}\n})`, {
    filename,
    columnOffset: -head.length,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  compiled.set(filename, { source, head, script });
  return script;
}

module.exports = { __esModule: true, default: SharingRuntime };

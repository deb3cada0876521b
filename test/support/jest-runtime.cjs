'use strict';
// Jest compiles every module anew for every test file. Here a worker compiles each once: a script that runs in another
// context keeps its compiled functions, so NestJS, TypeORM and Temporal cost their evaluation alone.
const vm = require('node:vm');
const v8 = require('node:v8');
const { default: Runtime } = require('jest-runtime');

// Else compiled code that was not used for a few collections is thrown away.
v8.setFlagsFromString('--no-flush-bytecode');

/** Of this worker: file name -> its source and what it was compiled to. */
const compiled = new Map();
/** Such a call must find the runtime that it belongs to, which a shared script cannot name. */
const DYNAMIC_IMPORT = /\bimport\s*\(/;

class SharingRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    const alone = executor.compile.bind(executor);
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      const script = context === null ? undefined : scriptOf({ source, filename, head });
      return script === undefined ? alone(source, filename) : script.runInContext(context);
    };
  }
}

function scriptOf({ source, filename, head }) {
  const known = compiled.get(filename);
  if (known !== undefined && known.source === source && known.head === head) return known.script;
  const script = DYNAMIC_IMPORT.test(source) ? undefined : compile({ source, filename, head });
  compiled.set(filename, { source, head, script });
  return script;
}

/** Undefined where it does not compile: Jest's own way says why. */
function compile({ source, filename, head }) {
  try {
    return new vm.Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  } catch {
    return undefined;
  }
}

module.exports = { __esModule: true, default: SharingRuntime };

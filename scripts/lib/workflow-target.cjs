'use strict';

/**
 * Option `webpackConfigHook` for a bundle of workflows. The SDK compiles for Node 8, where each copy of an object is a call of a
 * helper that costs many times what the language's own does. Class fields are compiled still: they begin behind the parameters
 * of the constructor that they use.
 */
function compiledForNow(config) {
  const rule = config.module.rules.find(({ test }) => String(test) === '/\\.ts$/');
  if (rule === undefined)
    throw new Error('the SDK compiles workflows in another way: see scripts/lib/workflow-target.cjs');
  rule.use.options.jsc.target = 'es2021';
  return config;
}

module.exports = { compiledForNow };

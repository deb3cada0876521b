'use strict';
// Sources -> dist/, same folders. Nothing is done when the sources are those of the last build.
const fs = require('node:fs');
const path = require('node:path');
const { hashFiles, listFiles, readText } = require('./lib/files.cjs');
const { compiledForNow } = require('./lib/workflow-target.cjs');

const ROOT = path.resolve(__dirname, '..');
const DIST = path.join(ROOT, 'dist');
const STAMP = '.build-stamp';
const CODE_FOLDERS = [
  'core',
  'infra',
  'connectors',
  'workflows',
  'activities',
  'worker',
  'src',
  'cli',
  'migrations',
  'bench',
];
const DATA_FOLDERS = ['catalog'];
const SETTINGS = ['.swcrc', 'package-lock.json', 'scripts/build.cjs', 'scripts/lib/workflow-target.cjs'];
const BUNDLE = 'workflow-bundle.js';
// Modules that are loaded once a worker and shared by its runs, with all their imports: pure code without state of a run.
const SHARED_BY_RUNS = ['core/engine/advance.ts'];
// The code that seals failure messages: workflows need the same copy as the worker's processes.
const FAILURE_CONVERTER = 'infra/temporal/failure-converter.ts';
const PAYLOAD_CONVERTER = 'infra/temporal/local-arguments.ts';
// An import that does not belong into a workflow bundles without a word; only its weight gives it away.
const MAX_BUNDLE_BYTES = 2.5 * 1024 * 1024;

function sourceFiles() {
  const folders = [...CODE_FOLDERS, ...DATA_FOLDERS].flatMap((folder) => listFiles(path.join(ROOT, folder)));
  return [...folders, ...SETTINGS.map((name) => path.join(ROOT, name)).filter((file) => fs.existsSync(file))];
}

/** The hash of the sources, and whether dist/ was made from them. */
function buildState() {
  const hash = hashFiles(ROOT, sourceFiles());
  return { hash, fresh: readText(path.join(DIST, STAMP)) === hash };
}

async function build() {
  const { hash, fresh } = buildState();
  if (fresh && !process.argv.includes('--force')) return console.log('build: dist/ is up to date');
  const next = `${DIST}.next-${process.pid}`;
  try {
    removeLeftovers();
    compile(next);
    await bundleWorkflows(next);
    compileCatalog(next);
    fs.writeFileSync(path.join(next, STAMP), hash);
    swap(next);
  } finally {
    fs.rmSync(next, { recursive: true, force: true });
  }
}

function compile(target) {
  const { transformFileSync } = require('@swc/core');
  for (const file of sourceFiles()) {
    const name = path.relative(ROOT, file);
    const out = path.join(target, name);
    if (SETTINGS.includes(name) || name.endsWith('.d.ts')) continue;
    fs.mkdirSync(path.dirname(out), { recursive: true });
    if (!name.endsWith('.ts')) {
      fs.copyFileSync(file, out);
      continue;
    }
    const script = out.replace(/\.ts$/, '.js');
    const { code, map } = transformFileSync(file, {
      configFile: path.join(ROOT, '.swcrc'),
      sourceFileName: path.relative(path.dirname(path.join(DIST, name)), file),
      // Source positions are enough for a stack trace.
      inlineSourcesContent: false,
    });
    fs.writeFileSync(script, `${code}\n//# sourceMappingURL=${path.basename(script)}.map\n`);
    fs.writeFileSync(`${script}.map`, map);
  }
}

async function bundleWorkflows(target) {
  const entry = path.join(ROOT, 'workflows/index.ts');
  if (!fs.existsSync(entry)) return;
  const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');
  const logger = new DefaultLogger('WARN');
  const options = {
    workflowsPath: entry,
    failureConverterPath: path.join(ROOT, FAILURE_CONVERTER),
    payloadConverterPath: path.join(ROOT, PAYLOAD_CONVERTER),
    preloadModules: SHARED_BY_RUNS.map((name) => path.join(ROOT, name)),
    webpackConfigHook: compiledForNow,
    logger,
  };
  const bundle = withoutSources((await bundleWorkflowCode(options)).code);
  const size = Buffer.byteLength(bundle);
  if (size > MAX_BUNDLE_BYTES) {
    const megabytes = (size / 1024 / 1024).toFixed(2);
    throw new Error(
      `the workflow bundle has ${megabytes} MB, more than 2.5 MB: something that workflows import does not belong there`,
    );
  }
  fs.writeFileSync(path.join(target, BUNDLE), bundle);
  console.log(`build: workflow bundle ${Math.round(size / 1024)} KB`);
}

/** The catalogue is read and checked once, not at each start. */
function compileCatalog(target) {
  const { spawnSync } = require('node:child_process');
  const script = path.join(target, 'src/catalog/compile-catalog.main.js');
  if (fs.existsSync(script)) spawnSync(process.execPath, [script], { stdio: 'inherit' });
}

/** Stack traces need the positions of the inline source map, not the copies of all sources in it: half of the bundle. */
function withoutSources(code) {
  const mark = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';
  const at = code.lastIndexOf(mark);
  if (at < 0) return code;
  const map = JSON.parse(Buffer.from(code.slice(at + mark.length), 'base64').toString('utf8'));
  delete map.sourcesContent;
  return `${code.slice(0, at + mark.length)}${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;
}

/** Folders that killed builds have left. */
function removeLeftovers() {
  for (const name of fs.readdirSync(ROOT)) {
    const pid = Number((/^dist\.(?:next|old)-(\d+)$/.exec(name) || [])[1]);
    if (pid > 0 && (pid === process.pid || !isAlive(pid)))
      fs.rmSync(path.join(ROOT, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Renamed as a whole: a process that starts now sees the old build or the new one. */
function swap(next) {
  const old = `${DIST}.old-${process.pid}`;
  if (fs.existsSync(DIST)) fs.renameSync(DIST, old);
  fs.renameSync(next, DIST);
  fs.rmSync(old, { recursive: true, force: true });
}

module.exports = { buildState, WATCHED: [...CODE_FOLDERS, ...DATA_FOLDERS] };

if (require.main === module) {
  build().catch((error) => {
    console.error(
      `build failed: ${error.code === 'ENOSPC' ? 'the disk is full. Free some space and try again.' : error.message}`,
    );
    process.exitCode = 1;
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFolder } from '../../infra/embedded/home';
import type { CallFrame } from './cpu-profile';

/** A function in its source: a file of the product, or one of a package. */
export interface Place {
  /** Short name for people: `core/engine/advance.ts`, `pg/lib/client.js`, `node:net`. */
  file: string;
  line: number;
  group: string;
}

const INLINE = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';
/** Folders whose subfolders are shown separately. */
const IN_PARTS = /^((?:core|infra|src)\/[^/]+)\//;
const SANDBOX = 'evalmachine.<anonymous>';
const PACKAGES = 'node_modules/';
const maps = new Map<string, SourceMap | undefined>();
const places = new Map<string, Place | undefined>();

/** Undefined for functions without a file: V8's own, the garbage collector. */
export function placeOf(frame: CallFrame): Place | undefined {
  if (frame.url === '') return undefined;
  const key = `${frame.url}:${frame.lineNumber}:${frame.columnNumber}`;
  if (!places.has(key)) places.set(key, found(frame));
  return places.get(key);
}

function found({ url, lineNumber, columnNumber }: CallFrame): Place {
  if (url.startsWith('node:')) return { file: url, line: lineNumber + 1, group: 'node internals' };
  if (url === SANDBOX) return { file: url, line: lineNumber + 1, group: '@temporalio/worker (sandbox)' };
  const script = fileOf(url);
  const entry = mapOf(script)?.findEntry(lineNumber, columnNumber);
  const mapped = entry !== undefined && 'originalSource' in entry ? entry : undefined;
  const source = mapped === undefined ? script : path.resolve(path.dirname(script), fileOf(mapped.originalSource));
  const line = (mapped === undefined ? lineNumber : mapped.originalLine) + 1;
  return { ...named(source), line };
}

function fileOf(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : url;
}

function named(source: string): { file: string; group: string } {
  const inPackages = source.lastIndexOf(PACKAGES);
  if (inPackages >= 0) {
    const file = source.slice(inPackages + PACKAGES.length);
    return { file, group: groupOfPackage(file) };
  }
  // Code that the bundler adds counts as part of the bundle.
  if (path.basename(path.dirname(source)) === 'webpack') return { file: source, group: 'workflow bundle' };
  const file = path.relative(projectFolder(), source);
  return { file, group: groupOfProduct(file) };
}

function groupOfProduct(file: string): string {
  return IN_PARTS.exec(file)?.[1] ?? file.split('/')[0] ?? file;
}

function groupOfPackage(file: string): string {
  const [first = '', second = ''] = file.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  if (/^(@temporalio\/proto|protobufjs|@protobufjs\/|long$)/.test(name)) return 'protobuf';
  if (/^pg(-|$)|^postgres-/.test(name)) return 'pg';
  if (/^@nestjs\/|^(fastify|find-my-way|avvio|light-my-request|reply|@fastify)/.test(name)) return 'nest and fastify';
  return name;
}

function mapOf(script: string): SourceMap | undefined {
  if (!maps.has(script)) maps.set(script, readMap(script));
  return maps.get(script);
}

/** Source map of a built file: beside the file, or at the end of a bundle of workflows. */
function readMap(script: string): SourceMap | undefined {
  if (script.includes(PACKAGES) || !existsSync(script)) return undefined;
  const beside = `${script}.map`;
  if (existsSync(beside)) return new SourceMap(JSON.parse(readFileSync(beside, 'utf8')) as SourceMapPayload);
  const text = readFileSync(script, 'utf8');
  const at = text.lastIndexOf(INLINE);
  if (at < 0) return undefined;
  const map = Buffer.from(text.slice(at + INLINE.length).trim(), 'base64').toString('utf8');
  return new SourceMap(JSON.parse(map) as SourceMapPayload);
}

import { rmSync } from 'node:fs';
import { type Home, readJsonFile, writeJsonFile } from './home';

/** Running programs and their addresses: the content of `endpoints.json`. `null` where another runs it. */
export interface Endpoints {
  api: { url: string; pid: number };
  worker: { pid: number };
  temporal: { address: string; pid: number | null };
  temporalUi: { url: string | null };
  database: { url: string; pid: number | null; data_dir: string | null };
}

/** Writes with mode 0600, for the owner only. The database URL comes without its password. */
export function writeEndpoints(home: Home, endpoints: Endpoints): void {
  writeJsonFile(home.endpointsFile, endpoints, 0o600);
}

export function readEndpoints({ endpointsFile }: Pick<Home, 'endpointsFile'>): Endpoints | undefined {
  const content = readJsonFile(endpointsFile);
  return isEndpoints(content) ? content : undefined;
}

export function removeEndpoints(home: Home): void {
  rmSync(home.endpointsFile, { force: true });
}

function isEndpoints(value: unknown): value is Endpoints {
  if (typeof value !== 'object' || value === null) return false;
  return ['api', 'worker', 'temporal', 'temporalUi', 'database'].every((key) => Object.hasOwn(value, key));
}

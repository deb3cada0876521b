import type { Endpoints } from '../../infra/embedded/endpoints';
import { isAlive } from '../../infra/embedded/process';
import { table } from './table';

/** Running programs, for a person; the database's password is left out. */
export function statusText(endpoints: Endpoints): string {
  const { api, worker, temporal, temporalUi, database } = endpoints;
  // Addresses and folders to copy are not cut.
  const rows = [
    ['API', `${api.url}/api/agent-factory`, processText(api.pid)],
    ['API docs', `${api.url}/api/docs`, ''],
    ['worker', '', processText(worker.pid)],
    ['Temporal', temporal.address, processText(temporal.pid)],
    ['Temporal Web', temporalUi.url ?? 'none', ''],
    ['database', withoutPassword(database.url), processText(database.pid)],
    ...(database.data_dir === null ? [] : [['', database.data_dir, '']]),
  ];
  return table(rows, [], Infinity);
}

function processText(pid: number | null): string {
  if (pid === null) return 'not ours';
  return isAlive(pid) ? `pid ${pid}` : `pid ${pid} (dead)`;
}

function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.password = '';
  return url.href;
}

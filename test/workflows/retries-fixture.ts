import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { ConnectorDefinition } from '../../core/connector/types';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import type { ApiSettings } from '../../src/app/settings';
import type { CallerInfo } from '../../src/http/caller';
import type { RunLauncher } from '../../src/runs/run-launcher';
import { RunRetryService } from '../../src/runs/run-retry.service';
import type { Definitions } from './changed-fixture';

/** Retries as the API makes them, and steps of the playbooks that are retried. */
export const CALLER = { ownerId: LOCAL_USER_ID, via: 'api' } as unknown as CallerInfo;

export function serviceOf({ stack: { runs, playbooks, database, gateway } }: Definitions): RunRetryService {
  const launcher = { launch: (id: string) => void gateway.startRun(id) } as unknown as RunLauncher;
  const retries = new RunRetryStore(database, new StepsStore(database));
  const connectors = new ConnectorsStore<ConnectorDefinition>(database);
  const settings = { models: { providers: [] } } as unknown as ApiSettings;
  return new RunRetryService(runs, playbooks, retries, launcher, connectors as never, settings);
}

export const call = (name: string, endpoint: string, id: string, more = ''): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: wit, endpoint: ${endpoint}, inputs: {id: ${id}}, on_error: stop${more}}`;
export const wobble = (name: string, more = ', on_error: stop'): string =>
  `{name: ${name}, step_type: tool, action: wobble${more}}`;
export const child = (name: string, playbook: string, more = ', on_error: stop'): string =>
  `{name: ${name}, action: run_playbook, playbook: ${playbook}${more}}`;

export function text(id: string, steps: string[]): string {
  return `id: ${id}\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
}

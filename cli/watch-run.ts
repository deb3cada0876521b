import { readEndpoints } from '../infra/embedded/endpoints';
import { resolveHome } from '../infra/embedded/home';
import { temporalCommand } from '../infra/embedded/temporal-program';
import { approveQuietly } from './decide';
import { followRun } from './follow';
import type { Api } from './http/api';
import type { ServerEvent } from './http/server-events';
import type { Approval, Run } from './http/types';
import { approvalText, type TemporalCommand } from './view/approval-text';
import { RunView } from './view/run-view';
import { text } from './view/step-lines';

export interface WatchOptions {
  /** Answer every request with yes. */
  approve: boolean;
  /** Print events as JSON lines in place of the view. */
  jsonEvents?: (event: ServerEvent) => void;
  signal?: AbortSignal;
}

/** Follows a run to its end and shows it; gives the closed run. */
export async function watchRun(api: Api, runId: string, options: WatchOptions): Promise<Run> {
  const view = new RunView();
  const answers: Promise<void>[] = [];
  const failures: unknown[] = [];
  const onEvent = (event: ServerEvent) => {
    if (options.jsonEvents) options.jsonEvents(event);
    else view.take(event);
    if (event.event !== 'approval.requested') return;
    answers.push(
      onApproval(api, text(event.data['approvalId']), view, options).catch(
        (error: unknown) => void failures.push(error),
      ),
    );
  };
  await followRun(api, runId, onEvent, options.signal);
  await Promise.all(answers);
  if (failures.length > 0) throw failures[0];
  return await api.get<Run>(`/runs/${encodeURIComponent(runId)}`);
}

/** Of this home, if one runs there: its port may be another than the program's own choice. */
function temporal(): TemporalCommand {
  const home = resolveHome();
  return { command: temporalCommand(home.bin), address: readEndpoints(home)?.temporal.address };
}

async function onApproval(api: Api, approvalId: string, view: RunView, options: WatchOptions): Promise<void> {
  const approval = await api.get<Approval>(`/approvals/${approvalId}`);
  // Events of the past come too: whoever follows later need not answer what is decided.
  if (approval.status !== 'waiting') return;
  if (!options.jsonEvents) view.remark(approvalText(api, approval, temporal()));
  if (!options.approve) return;
  await approveQuietly(api, approvalId);
  if (!options.jsonEvents) view.remark('Approved.');
}

import { readEndpoints } from '../infra/embedded/endpoints';
import { resolveHome } from '../infra/embedded/home';
import { temporalCommand } from '../infra/embedded/temporal-program';
import { answerRequest } from './answer-request';
import type { CliError } from './errors';
import { followRun } from './follow';
import type { Api } from './http/api';
import type { ServerEvent } from './http/server-events';
import type { Run } from './http/types';
import { errorJson } from './output';
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

/**
 * Follows a run to its end and shows it; gives the closed run. Throws where a request was to be approved and that was
 * refused: the run waits for others then, and whoever started the command need not.
 */
export async function watchRun(api: Api, runId: string, options: WatchOptions): Promise<Run> {
  const { approve, jsonEvents } = options;
  const view = new RunView();
  const stopped = new AbortController();
  const signal = AbortSignal.any([stopped.signal, ...(options.signal ? [options.signal] : [])]);
  const answers: Promise<void>[] = [];
  const failures: unknown[] = [];
  const say = (words: string) => (jsonEvents ? undefined : view.remark(words));
  const answering = {
    approve,
    signal,
    say,
    show: (approval: Parameters<typeof approvalText>[1]) => say(approvalText(api, approval, temporal())),
    warn: (error: CliError) => (jsonEvents ? console.error(errorJson(error)) : view.remark(error.message)),
  };
  const onEvent = (event: ServerEvent) => {
    if (jsonEvents) jsonEvents(event);
    else view.take(event);
    if (event.event !== 'approval.requested') return;
    const answer = answerRequest(api, text(event.data['approvalId']), answering);
    answers.push(
      answer.catch((error: unknown) => {
        if (!signal.aborted) failures.push(error);
        stopped.abort();
      }),
    );
  };
  await followRun(api, runId, onEvent, signal);
  await Promise.all(answers);
  if (failures.length > 0) throw failures[0];
  return await api.get<Run>(`/runs/${encodeURIComponent(runId)}`);
}

/** Of this home, if one runs there: its port may be another than the program's own choice. */
function temporal(): TemporalCommand {
  const home = resolveHome();
  return { command: temporalCommand(home.bin), address: readEndpoints(home)?.temporal.address };
}

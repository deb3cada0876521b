import { readEndpoints } from '../infra/embedded/endpoints';
import { resolveHome } from '../infra/embedded/home';
import { temporalCommand } from '../infra/embedded/temporal-program';
import { answerRequest } from './answer-request';
import type { CliError } from './errors';
import { followRun } from './follow';
import type { Api } from './http/api';
import type { ServerEvent } from './http/server-events';
import type { Run } from './http/types';
import { toCliError, errorJson } from './output';
import { approvalText, type TemporalCommand } from './view/approval-text';
import { attentionText } from './view/run-text';
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
 * Follows a run to its end and shows it, with the requests of the runs that it started; gives the closed run. Throws where a
 * request was to be approved and that was refused: the run waits for another person then, so there is no more to watch.
 */
export async function watchRun(api: Api, runId: string, options: WatchOptions): Promise<Run> {
  const { approve, jsonEvents } = options;
  const view = new RunView();
  const stopped = new AbortController();
  const over = new AbortController();
  const signal = AbortSignal.any([stopped.signal, ...(options.signal ? [options.signal] : [])]);
  const whileItRuns = AbortSignal.any([signal, over.signal]);
  const below: Promise<void>[] = [];
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
  const heed = (of: string) => (event: ServerEvent) => {
    const beside = (work: Promise<void>) =>
      below.push(work.catch((error: unknown) => void (whileItRuns.aborted || answering.warn(toCliError(error)))));
    const child = event.event === 'child.started' ? text(event.data['child']) : '';
    if (child !== '') beside(followRun(api, child, heed(child), whileItRuns));
    if (event.event === 'step.waiting' && event.data['reason'] === 'attention')
      beside(tellAttention(api, of, event, say));
    if (event.event !== 'approval.requested') return;
    const answer = answerRequest(api, text(event.data['approvalId']), answering);
    answers.push(
      answer.catch((error: unknown) => {
        if (!signal.aborted) failures.push(error);
        stopped.abort();
      }),
    );
  };
  const onEvent = (event: ServerEvent) => {
    if (jsonEvents) jsonEvents(event);
    else view.take(event);
    heed(runId)(event);
  };
  await followRun(api, runId, onEvent, signal);
  over.abort();
  await Promise.all(below);
  await Promise.all(answers);
  if (failures.length > 0) throw failures[0];
  return await api.get<Run>(`/runs/${encodeURIComponent(runId)}`);
}

/** Reason why a step waits for a person, and the way on, where it still waits: past events arrive too. */
async function tellAttention(
  api: Api,
  runId: string,
  { data }: ServerEvent,
  say: (words: string) => void,
): Promise<void> {
  const run = await api.get<Run>(`/runs/${encodeURIComponent(runId)}`);
  const words = attentionText(run, text(data['step_path']));
  if (words !== undefined) say(words);
}

/** Temporal Web of this home, if one runs there: its port may differ from the program's own default. */
function temporal(): TemporalCommand {
  const home = resolveHome();
  return { command: temporalCommand(home.bin), address: readEndpoints(home)?.temporal.address };
}

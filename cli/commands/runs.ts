import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { ApprovalSummary, Run, RunSummary } from '../http/types';
import { firstOf, LIMIT_FLAG, LIMIT_TEXT, listText } from '../lists';
import { runLines } from '../run-outcome';
import { wholeRunId } from '../run-id';
import { runText } from '../view/run-text';
import { shortTime } from '../view/step-lines';
import type { Register } from './command';

interface ListOptions {
  status?: string;
  playbook?: string;
  limit: string;
}

export const registerRuns: Register = (program, wrap) => {
  program
    .command('runs')
    .description('list runs, newest first, or show one')
    .argument('[runId]', 'or its beginning')
    .option('--status <status>', 'only runs in this status')
    .option('--playbook <slug>', 'only runs of this playbook')
    .option(LIMIT_FLAG, LIMIT_TEXT, '20')
    .action(wrap(runs));
  program
    .command('resolve')
    .description('say what became of a step that needs attention')
    .argument('<runId>')
    .argument('<step_path>', 'place of the step, such as notify[2]/send')
    .argument('<outcome>', 'done, not_done or repeat')
    .action(wrap(resolveStep));
};

async function runs(context: Context, runId: string | undefined, options: ListOptions): Promise<ExitCode> {
  const api = context.api();
  if (runId !== undefined) {
    const run = await api.get<Run>(`/runs/${await wholeRunId(api, runId)}`);
    const decided = await api.pages<ApprovalSummary>(`/approvals?run=${run.runId}&limit=200`);
    context.output.result(run, (found) => [runLines(found), ...runText(found, decided)].join('\n'));
    return EXIT.ok;
  }
  const { status, playbook, limit } = options;
  const query = new URLSearchParams({ ...(status ? { status } : {}), ...(playbook ? { playbook } : {}) });
  const page = await firstOf<RunSummary>(api, '/runs', query, limit);
  // A playbook that is deleted may have runs; one that there is not has none, and that is said.
  if (page.items.length === 0 && playbook) await api.get(`/playbooks/${encodeURIComponent(playbook)}`);
  context.output.result(page, (found) => listText(found, 'No runs.', row, LOOKS));
  return EXIT.ok;
}

const LOOKS = [{ id: true }, { whole: true }, { whole: true }, { whole: true }];

function row({ runId, status, steps_done: done, steps_total: total, created_at: at, playbook }: RunSummary): string[] {
  return [runId, status, `${done}/${total}`, playbook.slug, shortTime(at)];
}

async function resolveStep(context: Context, runId: string, stepPath: string, outcome: string): Promise<ExitCode> {
  const body = { step_path: stepPath, outcome };
  const api = context.api();
  const answer = await api.post<object>(`/runs/${await wholeRunId(api, runId)}/resolve`, body);
  context.output.result(answer, () => `Step ${stepPath} of run ${runId}: ${outcome}.`);
  return EXIT.ok;
}

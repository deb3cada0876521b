import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { Page, Run, RunSummary } from '../http/types';
import { table } from '../output';
import { runLines } from '../run-outcome';
import { wholeRunId } from '../run-id';
import { runText } from '../view/run-text';
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
    .option('--limit <n>', 'at most so many', '20')
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
    context.output.result(run, (found) => [runLines(found), ...runText(found)].join('\n'));
    return EXIT.ok;
  }
  const query = new URLSearchParams({ limit: options.limit });
  if (options.status) query.set('status', options.status);
  if (options.playbook) query.set('playbook', options.playbook);
  const page = await api.get<Page<RunSummary>>(`/runs?${query.toString()}`);
  context.output.result(page, ({ items }) => (items.length === 0 ? 'No runs.' : table(items.map(row))));
  return EXIT.ok;
}

function row(run: RunSummary): string[] {
  return [run.runId, run.status, `${run.steps_done}/${run.steps_total}`, run.created_at, run.playbook.slug];
}

async function resolveStep(context: Context, runId: string, stepPath: string, outcome: string): Promise<ExitCode> {
  const body = { step_path: stepPath, outcome };
  const api = context.api();
  const answer = await api.post<object>(`/runs/${await wholeRunId(api, runId)}/resolve`, body);
  context.output.result(answer, () => `Step ${stepPath} of run ${runId}: ${outcome}.`);
  return EXIT.ok;
}

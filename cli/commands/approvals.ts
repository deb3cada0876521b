import { parseExactJson } from '../../core/base/exact-json';
import type { Context } from '../context';
import { decide, type DecisionAnswer } from '../decide';
import { EXIT, type ExitCode, usageError } from '../errors';
import type { ApprovalSummary, Page } from '../http/types';
import { wholeApprovalId, wholeRunId } from '../run-id';
import { failureLines } from '../view/approval-text';
import type { Register } from './command';

interface DecideOptions {
  instructions?: string;
  edits?: string;
}

export const registerApprovals: Register = (program, wrap) => {
  program
    .command('approvals')
    .description('list what waits for a decision')
    .option('--all', 'decided ones too')
    .option('--run <runId>', 'only of this run')
    .action(wrap(approvals));
  for (const decision of ['approve', 'reject'] as const) {
    program
      .command(decision)
      .description(`${decision} a request`)
      .argument('<approvalId>')
      .option('--instructions <text>', 'words for the steps behind the gate')
      .option('--edits <json>', 'changed inputs of the gated action, as a JSON object')
      .action(
        wrap((context, approvalId: string, options: DecideOptions) => answer(context, approvalId, decision, options)),
      );
  }
};

async function approvals(context: Context, options: { all?: boolean; run?: string }): Promise<ExitCode> {
  const query = new URLSearchParams(options.all ? {} : { status: 'waiting' });
  const api = context.api();
  if (options.run) query.set('run', await wholeRunId(api, options.run));
  const page = await api.get<Page<ApprovalSummary>>(`/approvals?${query.toString()}`);
  context.output.result(page, ({ items }) =>
    items.length === 0 ? 'Nothing waits for a decision.' : items.map(entry).join('\n'),
  );
  return EXIT.ok;
}

function entry(approval: ApprovalSummary): string {
  const due = approval.due_at === undefined ? '' : `, until ${approval.due_at}`;
  const lines = [
    `${approval.approvalId}  ${approval.status}`,
    ...failureLines(approval, '  '),
    ...approval.prompt
      .trim()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n  run ${approval.runId}, step ${approval.step_path}${due}`;
}

async function answer(
  context: Context,
  approvalId: string,
  decision: 'approve' | 'reject',
  options: DecideOptions,
): Promise<ExitCode> {
  const edits = options.edits === undefined ? undefined : parseEdits(options.edits);
  const api = context.api();
  const whole = await wholeApprovalId(api, approvalId);
  const given = await decide(api, { approvalId: whole, decision, instructions: options.instructions, edits });
  context.output.result(given, sentence);
  return EXIT.ok;
}

function sentence(given: DecisionAnswer): string {
  const what = given.decision === 'approve' ? 'Approved' : 'Rejected';
  if (given.state === 'counted') return `${what}.`;
  return `${what}: received (decision ${given.decisionId}). No worker has taken it up yet; it is delivered as soon as one runs.`;
}

function parseEdits(text: string): object {
  try {
    const value: unknown = parseExactJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The sentence below says what is wanted.
  }
  throw usageError('--edits wants one JSON object, such as {"amount": 5}.');
}

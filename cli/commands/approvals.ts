import { parseExactJson } from '../../core/base/exact-json';
import type { Context } from '../context';
import { decide } from '../decide';
import { EXIT, type ExitCode, usageError } from '../errors';
import type { Api } from '../http/api';
import type { Approval, ApprovalSummary, DecisionAnswer, Page, Run } from '../http/types';
import { refuseTwice } from '../inputs';
import { firstOf, LIMIT_FLAG, moreLines } from '../lists';
import { wholeApprovalId, wholeRunId } from '../run-id';
import { decidedText, editedLines, failureLines } from '../view/approval-text';
import { plainText } from '../view/text-width';
import { type WholeApproval, wholeApprovalText } from '../view/whole-approval-text';
import type { Register } from './command';

const USUAL = '50';

interface DecideOptions {
  instructions?: string;
  edits?: string;
  digest?: string;
}

interface ListOptions {
  all?: boolean;
  run?: string;
  limit?: string;
}

export const registerApprovals: Register = (program, wrap) => {
  program
    .command('approvals')
    .description('list what waits for a decision, or show one request whole')
    .argument('[approvalId]', 'or its beginning')
    .option('--all', 'decided ones too')
    .option('--run <runId>', 'only of this run')
    .option(LIMIT_FLAG, `at most so many requests (${USUAL}), or rows of the one that is shown (all); or "all"`)
    .action(wrap(approvals));
  for (const decision of ['approve', 'reject'] as const) {
    program
      .command(decision)
      .description(`${decision} a request`)
      .argument('<approvalId>', 'or its beginning')
      .option('--digest <digest>', 'of what you have seen ("af approvals <id>"): nothing else is decided')
      .option('--instructions <text>', 'words for the steps behind the gate')
      .option('--edits <json>', 'changed inputs of the gated action, as a JSON object')
      .action(
        wrap((context, approvalId: string, options: DecideOptions) => answer(context, approvalId, decision, options)),
      );
  }
};

async function approvals(context: Context, given: string | undefined, options: ListOptions): Promise<ExitCode> {
  const api = context.api();
  if (given !== undefined) {
    if (options.all === true || options.run !== undefined) throw usageError('--all and --run are for the list.');
    context.output.result(await whole(api, given, options.limit ?? 'all'), wholeApprovalText);
    return EXIT.ok;
  }
  const query = new URLSearchParams(options.all ? {} : { status: 'waiting' });
  if (options.run !== undefined) query.set('run', await wholeRunId(api, options.run));
  const page = await firstOf<ApprovalSummary>(api, '/approvals', query, options.limit ?? USUAL);
  // An unknown run must be an error: otherwise the list would say that nothing waits.
  const run = query.get('run');
  if (page.items.length === 0 && run !== null) await api.get<Run>(`/runs/${run}`);
  context.output.result(page, listText);
  return EXIT.ok;
}

async function whole(api: Api, given: string, limit: string): Promise<WholeApproval> {
  const place = `/approvals/${await wholeApprovalId(api, given)}`;
  const approval = await api.get<Approval>(place);
  return { ...approval, rows: await firstOf<unknown>(api, `${place}/preview`, new URLSearchParams(), limit) };
}

function listText({ items, next_cursor: next }: Page<ApprovalSummary>): string {
  if (items.length === 0) return 'Nothing waits for a decision.';
  return [...items.map(entry), ...moreLines(items.length, next), 'All of one: af approvals <id>'].join('\n');
}

function entry(approval: ApprovalSummary): string {
  const due = approval.due_at === undefined ? '' : `, until ${approval.due_at}`;
  const lines = [
    `${approval.approvalId}  ${decidedText(approval)}`,
    ...failureLines(approval, '  '),
    ...editedLines(approval, '  '),
    ...approval.prompt
      .trim()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n  run ${approval.runId}, step ${approval.step_path}${due}`;
}

async function answer(
  context: Context,
  given: string,
  decision: 'approve' | 'reject',
  options: DecideOptions,
): Promise<ExitCode> {
  const { instructions } = options;
  const edits = options.edits === undefined ? undefined : parseEdits(options.edits);
  const api = context.api();
  const approvalId = await wholeApprovalId(api, given);
  const digest = options.digest ?? (await shownDigest(context, api, approvalId));
  const answered = await decide(api, { approvalId, decision, digest, instructions, edits });
  context.output.result({ ...answered, digest }, sentence);
  return EXIT.ok;
}

/** Shows the request to a person who gives no digest, before they decide. */
async function shownDigest({ output }: Context, api: Api, approvalId: string): Promise<string | undefined> {
  const approval = await api.get<Approval>(`/approvals/${approvalId}`);
  const { prompt, step_path: place, runId, digest, preview_total: total } = approval;
  const rows = total === undefined ? '' : ` (${total} row${total === 1 ? '' : 's'} to look at)`;
  output.note(
    [
      ...failureLines(approval),
      ...editedLines(approval),
      `${plainText(prompt.trim())}${rows}`,
      `  approval ${approvalId}, step ${place}, run ${runId}`,
      ...(digest === undefined ? [] : [`  digest ${digest}`]),
    ].join('\n'),
  );
  return digest;
}

function sentence(given: DecisionAnswer): string {
  const what = given.decision === 'approve' ? 'Approved' : 'Rejected';
  if (given.state === 'counted') return `${what}.`;
  return `${what}: received (decision ${given.decisionId}). No worker has taken it up yet; it is delivered as soon as one runs.`;
}

function parseEdits(text: string): object {
  let value: unknown;
  try {
    value = parseExactJson(text);
    refuseTwice(text, '--edits');
  } catch (error) {
    if (value !== undefined) throw error;
    // The error below names what is expected.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw usageError('--edits wants one JSON object, such as {"amount": 5}.');
}

import { canonicalJson } from '../../core/base/canonical-json';
import type { Json } from '../../core/base/json';
import { isTerminal } from '../../core/base/run-status';
import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { Run } from '../http/types';
import { table } from '../view/table';
import { costText } from '../run-outcome';
import { wholeRunId } from '../run-id';
import type { Register } from './command';

export interface Difference {
  what: string;
  left?: unknown;
  right?: unknown;
  /** Side that has no value yet because its run goes on. */
  not_yet?: 'left' | 'right';
}

export const registerCompare: Register = (program, wrap) => {
  program
    .command('compare')
    .description('what differs between two runs: inputs, versions of playbook and connectors, steps, results, cost')
    .argument('<runId>', 'or its beginning')
    .argument('<otherRunId>', 'or its beginning')
    .action(wrap(compare));
};

async function compare(context: Context, left: string, right: string): Promise<ExitCode> {
  const api = context.api();
  const ids = [await wholeRunId(api, left), await wholeRunId(api, right)] as const;
  const [one, other] = await Promise.all(ids.map((id) => api.get<Run>(`/runs/${id}`)));
  const differences = one === undefined || other === undefined ? [] : differencesOf(one, other);
  context.output.result({ left: ids[0], right: ids[1], differences }, () =>
    differences.length === 0 ? 'Nothing differs.' : differenceText(ids, differences),
  );
  return EXIT.ok;
}

/**
 * Lists differences in the order in which a reader asks: inputs, steps, results. Times always differ, and are left out.
 */
export function differencesOf(left: Run, right: Run): Difference[] {
  const facts = [factsOf(left), factsOf(right)] as const;
  // Counts of a step that a retry took over belong to the run before: they are no difference.
  const taken = [left, right].flatMap(({ steps }) => steps.filter(isTaken).map((step) => `step ${step.step_path}`));
  for (const step of taken)
    for (const of of facts) for (const fact of ['tries', 'requests']) of.delete(`${step} ${fact}`);
  return [...differing(...facts)].map((difference) => ({ ...difference, ...notYet(difference, left, right) }));
}

function isTaken({ copied_from: from }: Run['steps'][number]): boolean {
  return from !== undefined;
}

/** Marks results that an open run may still get. */
function notYet({ what, left, right }: Difference, one: Run, other: Run): Pick<Difference, 'not_yet'> {
  if (left === undefined && mayCome(what, one)) return { not_yet: 'left' };
  return right === undefined && mayCome(what, other) ? { not_yet: 'right' } : {};
}

const LATER = /^(step|output|calls of) /;

function mayCome(what: string, { status, steps }: Run): boolean {
  if (isTerminal(status) || !LATER.test(what)) return false;
  const done = steps.filter((step) => step.status !== 'running' && step.status !== 'waiting');
  return !done.some(({ step_path: path }) => what === `step ${path}` || what.startsWith(`step ${path} `));
}

function factsOf(run: Run): Map<string, unknown> {
  const { playbook, usage } = run;
  const facts: [string, unknown][] = [
    ['status', run.status],
    ['why', run.code ?? run.message],
    ['playbook', playbook.slug],
    ['version', playbook.version_no],
    ...run.connectors.map(({ connector, version_no, version_id }): [string, unknown] => [
      `connector ${connector}`,
      version_no === undefined ? version_id : `version ${version_no}`,
    ]),
    ['today', run.clock['today']],
    ['last execution', run.clock['last_execution_date']],
    ...Object.entries(run.inputs).map(([name, value]): [string, unknown] => [`input ${name}`, value]),
    ...run.steps.flatMap((step): [string, unknown][] => [
      [`step ${step.step_path}`, step.status],
      [`step ${step.step_path} taken over from`, step.copied_from],
      // An error of a step that is well is one of an earlier try.
      [`step ${step.step_path} error`, step.status === 'ok' ? undefined : step.error?.code],
      [`step ${step.step_path} incomplete`, step.incomplete?.map(({ message }) => message)],
      [`step ${step.step_path} tries`, step.tries],
      [`step ${step.step_path} requests`, step.requests],
    ]),
    ...Object.entries(run.outputs ?? {}).flatMap(([name, value]) => outputFacts(`output ${name}`, value)),
    ...run.connectors_called.map((called): [string, unknown] => [
      `calls of ${called.connector} ${called.endpoint}`,
      `${called.calls} (${called.failed} failed, ${called.stale} stale)`,
    ]),
    ['input tokens', usage.input_tokens],
    ['output tokens', usage.output_tokens],
    ['cost', costText(usage)],
  ];
  return new Map(facts);
}

/** An object is compared by its fields; a list shows its length beside its content, because that is what readers ask first. */
function outputFacts(name: string, value: unknown): [string, unknown][] {
  if (Array.isArray(value))
    return [
      [`${name} count`, value.length],
      [name, value],
    ];
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([field, part]): [string, unknown][] =>
    Array.isArray(part)
      ? [
          [`${name}.${field} count`, part.length],
          [`${name}.${field}`, part],
        ]
      : [[`${name}.${field}`, part]],
  );
}

function* differing(left: Map<string, unknown>, right: Map<string, unknown>): Generator<Difference> {
  for (const what of new Set([...left.keys(), ...right.keys()])) {
    const [one, other] = [left.get(what), right.get(what)];
    if (textOf(one) !== textOf(other)) yield { what, left: one, right: other };
  }
}

function textOf(value: unknown): string {
  return value === undefined ? '-' : canonicalJson(value as Json);
}

function differenceText([left, right]: readonly [string, string], differences: readonly Difference[]): string {
  const shown = (value: unknown, isOpen: boolean) =>
    isOpen ? 'not yet' : typeof value === 'string' ? value : textOf(value);
  return table([
    ['', left, right],
    ...differences.map(({ what, left: one, right: other, not_yet: open }) => [
      what,
      shown(one, open === 'left'),
      shown(other, open === 'right'),
    ]),
  ]);
}

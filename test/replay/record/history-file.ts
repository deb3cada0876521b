import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils';
import type { InProcess } from '../../support/in-process';
import { eventually } from './shape';

type Tree = { [field: string]: unknown };

/** Histories of one run, oldest first: one for each time that it continued as new. */
export async function historiesOf(stack: InProcess, runId: string): Promise<History[]> {
  // The row has its end before the workflow has.
  await eventually(async () => {
    const { status } = await stack.client.workflow.getHandle(`run-${runId}`).describe();
    return status.name !== 'RUNNING';
  });
  const found: History[] = [];
  let execution: string | undefined;
  do {
    const history = await stack.client.workflow.getHandle(`run-${runId}`, execution).fetchHistory();
    found.unshift(history);
    execution = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  } while (execution);
  return found;
}

/** One event a line; nothing in it names the machine it was recorded on. */
export function toText(history: History): string {
  const { events } = JSON.parse(historyToJSON(history)) as { events: Tree[] };
  return `{"events":[\n${events.map((event) => JSON.stringify(neutral(event))).join(',\n')}\n]}\n`;
}

function neutral(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(neutral);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Tree).map(([name, inner]) => [name, NEUTRAL[name]?.(inner) ?? neutral(inner)]),
  );
}

const NEUTRAL: { [field: string]: (inner: unknown) => unknown } = {
  identity: () => 'worker',
  stackTrace: () => '',
  encodedAttributes: (payload) => withoutStack(payload as Tree),
};

/** Message and stack trace of a failure; recorded runs are not encrypted. */
function withoutStack(payload: Tree): Tree {
  const words = JSON.parse(Buffer.from(payload['data'] as string, 'base64').toString()) as Tree;
  return { ...payload, data: Buffer.from(JSON.stringify({ ...words, stack_trace: '' })).toString('base64') };
}

/** Addresses of the blobs that payloads of a history point at. */
export function blobsOf(text: string): string[] {
  const marked = /"encoding":"YmluYXJ5L2FmLWJsb2I="\},"data":"([A-Za-z0-9+/=]+)"/g;
  const found = [...text.matchAll(marked)].map(
    (match) => JSON.parse(Buffer.from(match[1] ?? '', 'base64').toString()) as { sha256: string },
  );
  return [...new Set(found.map((blob) => blob.sha256))];
}

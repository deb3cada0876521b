import { CliError, EXIT, usageError } from './errors';
import type { Api } from './http/api';
import type { ApprovalSummary, RunSummary } from './http/types';

const WHOLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BEGINNING = /^[0-9a-f][0-9a-f-]{3,}$/i;
/** Pages of latest runs that are searched for a beginning. */
const PAGES = 5;
const SHOWN = 5;

export function isWholeId(text: string): boolean {
  return WHOLE.test(text);
}

/** The whole id of a run that is named by it or by its beginning (four letters or more), such as 0f8fad5b. */
export function wholeRunId(api: Api, given: string): Promise<string> {
  return wholeId(given, 'run', async () => {
    const latest = await api.pages<RunSummary>('/runs?limit=200', PAGES);
    return latest.map(({ runId }) => runId);
  });
}

export function wholeApprovalId(api: Api, given: string): Promise<string> {
  return wholeId(given, 'approval', async () => {
    const latest = await api.pages<ApprovalSummary>('/approvals?limit=200', PAGES);
    return latest.map(({ approvalId }) => approvalId);
  });
}

async function wholeId(given: string, what: string, latest: () => Promise<string[]>): Promise<string> {
  if (isWholeId(given)) return given;
  if (!BEGINNING.test(given))
    throw usageError(
      `${JSON.stringify(given)} is no id of ${what === 'run' ? 'a run' : 'an approval'}: give its id, or the first four letters or more of it. "af ${what}s" lists them.`,
    );
  const [first] = idsWithPrefix(given, await latest());
  if (first !== undefined) return first;
  throw new CliError(
    `${what}_not_found`,
    `None of the latest ${what}s has an id that begins with ${given}. "af ${what}s" lists them.`,
    EXIT.failed,
  );
}

/** The one id that begins so, or none. Throws where there are several. */
export function idsWithPrefix(given: string, ids: readonly string[]): string[] {
  const found = BEGINNING.test(given) ? ids.filter((id) => id.startsWith(given.toLowerCase())) : [];
  if (found.length < 2) return found;
  throw usageError(`${given} is the beginning of ${found.length} ids: ${found.slice(0, SHOWN).join(', ')}.`);
}

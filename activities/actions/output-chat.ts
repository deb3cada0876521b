import { firstOf } from '../../core/base/shorten';
import { renderMarkdownReport } from '../../core/report/markdown';
import type { OutputJob, Prepare } from './output-types';

/** UTF-16 units of a run's summary. */
const SUMMARY_LIMIT = 20_000;

/** The report becomes part of the run's summary. */
export const toChat: Prepare = async () => async () => ({ type: 'chat', included_in_response: true });

/** The text of the playbook's `summary`, with the report below it where chat is a destination. */
export function summaryOf(job: OutputJob, withReport: boolean): string | undefined {
  const parts = [
    job.summary,
    withReport ? renderMarkdownReport({ ...job.report, meta: undefined }).trimEnd() : undefined,
  ];
  const text = parts.filter((part) => part !== undefined && part !== '').join('\n\n');
  if (text.length <= SUMMARY_LIMIT) return text === '' ? undefined : text;
  const shown = firstOf(text, SUMMARY_LIMIT);
  return `${shown}… (${text.length - shown.length} characters more; a document holds the report whole)`;
}

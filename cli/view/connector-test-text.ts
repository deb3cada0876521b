import type { ConnectorTest } from '../http/types';

const MOST_RECORDS = 3;
const MOST_EXCERPT = 600;

/** Report of a test for a person: the request, the answer, some records, what is missing. */
export function connectorTestText(test: ConnectorTest): string {
  const { request, error, missing, records, groups = [], left_out: leftOut } = test;
  const lines = [
    ...(request === undefined ? [] : [`${request.method} ${request.url}`]),
    summary(test),
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`, ...excerptLines(test)]),
    ...missing.map(missingLine),
    ...REMARKS.flatMap((kind) => remarkLines(kind, test.metadata)),
    ...records.slice(0, MOST_RECORDS).map((record) => JSON.stringify(record, null, 2)),
    ...groups.flatMap(groupLines),
    ...leftOut.filter(({ part }) => part.startsWith('metadata.')).map(leftOutLine),
  ];
  const left = test.count - Math.min(records.length, MOST_RECORDS);
  return [...lines, ...(left > 0 ? [`… and ${left} more (--json shows the first 20)`] : [])].join('\n');
}

/** Shows the fields of a group without rows too: it found nothing, or is read wrongly. */
function groupLines({ name, count, fields, records }: NonNullable<ConnectorTest['groups']>[number]): string[] {
  const [first] = records;
  const head = `group ${name}: ${countText(count, 'row')} (${fields.join(', ')})`;
  return first === undefined ? [head] : [head, JSON.stringify(first, null, 2)];
}

function leftOutLine({ part, of }: NonNullable<ConnectorTest['left_out']>[number]): string {
  return `  too large to be shown: ${part}${of === undefined ? '' : ` (${of})`}`;
}

function summary({ ok, status, count, request, requests, timing }: ConnectorTest): string {
  const silent = request === undefined ? [] : ['no answer'];
  const answer = status === undefined ? silent : [`status ${status}`];
  const facts = [...answer, countText(count, 'record'), countText(requests, 'request'), `${timing.total_ms} ms`];
  return `${ok ? 'ok' : 'failed'}: ${facts.join(', ')}`;
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Words of the source on its refusal, which mostly name the repair. */
function excerptLines({ excerpt, error }: ConnectorTest): string[] {
  const said = excerpt?.replaceAll(/\s+/g, ' ').trim() ?? '';
  // A short answer is in the message.
  if (excerpt === undefined || said === '' || error?.message.endsWith(`It said: ${said}`) === true) return [];
  const shown = excerpt.trim().slice(0, MOST_EXCERPT);
  return [`the source said: ${shown}${shown.length < excerpt.trim().length ? ' … (--json shows more)' : ''}`];
}

/** Parts of a source that could not be read, and values that do not fit; the call still counts as ok. */
const REMARKS = ['errors', 'warnings'] as const;

function remarkLines(kind: (typeof REMARKS)[number], metadata: ConnectorTest['metadata']): string[] {
  const value: unknown = metadata[kind];
  const remarks = Array.isArray(value) ? value : [];
  const lines = remarks.slice(0, MOST_RECORDS).map((remark) => `  ${kind.slice(0, -1)}: ${remarkText(remark)}`);
  const left = remarks.length - lines.length;
  return left > 0 ? [...lines, `  … and ${countText(left, `more ${kind.slice(0, -1)}`)}`] : lines;
}

function remarkText(remark: unknown): string {
  if (typeof remark !== 'object' || remark === null) return String(remark);
  const { file, message } = remark as { file?: unknown; message?: unknown };
  if (typeof message !== 'string') return JSON.stringify(remark);
  return typeof file === 'string' && !message.includes(file) ? `${file}: ${message}` : message;
}

function missingLine({ field, path, records, everywhere }: ConnectorTest['missing'][number]): string {
  return everywhere
    ? `  ${field}: no record has \`${path}\`; is the path right?`
    : `  ${field}: missing in ${records} records (\`${path}\`)`;
}

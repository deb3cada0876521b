import type { ConnectorTest } from '../http/types';

const MOST_RECORDS = 3;

/** What a test gave, as a person reads it: the request, the answer, some records, what is missing. */
export function connectorTestText(test: ConnectorTest): string {
  const { request, error, missing, records } = test;
  const lines = [
    ...(request === undefined ? [] : [`${request.method} ${request.url}`]),
    `${test.ok ? 'ok' : 'failed'}: ${test.status === undefined ? 'no answer' : `status ${test.status}`}, ${test.count} records, ${test.requests} requests, ${test.timing.total_ms} ms`,
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
    ...missing.map(missingLine),
    ...records.slice(0, MOST_RECORDS).map((record) => JSON.stringify(record, null, 2)),
  ];
  const left = test.count - Math.min(records.length, MOST_RECORDS);
  return [...lines, ...(left > 0 ? [`… and ${left} more (--json shows the first 20)`] : [])].join('\n');
}

function missingLine({ field, path, records, everywhere }: ConnectorTest['missing'][number]): string {
  return everywhere
    ? `  ${field}: no record has \`${path}\`; is the path right?`
    : `  ${field}: missing in ${records} records (\`${path}\`)`;
}

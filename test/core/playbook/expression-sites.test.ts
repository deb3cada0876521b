import { expect, it } from '@jest/globals';
import { parseSite } from '../../../core/playbook/parse-expression-site';
import { outputSites, stepSites, type ExpressionSite } from '../../../core/playbook/expression-sites';
import { allSteps } from '../../../core/playbook/walk';
import { planOf } from './support';

const PLAN = planOf(`
id: p
steps:
  - {name: pull, step_type: tool, action: query_journal, condition: "{q} is defined", inputs: {text: "{q}", list: ["{r}", 1]}, params: {limit: "{n}"}, undo: {action: query_journal, inputs: {id: "{pull.id}"}}}
  - {name: judge, step_type: llm_task, action: llm_analyze, inputs: {data: "{pull}"}, params: {instructions: "{how}"}}
  - {name: gate, step_type: approval, prompt: "{n}?", preview_from: "{pull.entries}"}
  - {name: plain, step_type: approval, prompt: "Go on?"}
  - {name: each, for_each: {items: ["{a}", "{b}"], steps: [{name: sub, action: run_playbook, playbook: other, inputs: {company: "{item}"}}]}}
  - {name: again, loop: {until: "{in.count} > 1", max_iterations: 2, steps: [{name: in, step_type: tool, action: query_journal}]}}
  - {name: way, route: {on: "{kind}", routes: {x: [{name: r1, step_type: approval, prompt: "1"}]}}}
  - {name: ask, route: {on: {action: llm_analyze, inputs: {data: "{x}"}, params: {instructions: "{y}"}}, routes: {x: [{name: r2, step_type: approval, prompt: "2"}]}}}
  - {name: both, action: parallel, parallel_steps: [{name: p1, step_type: approval, prompt: "3"}]}
output:
  title: "About {q}"
  summary: "{n} found"
  sections: [{title: "T {n}", source: gate}]
  destinations: [{type: document, condition: "{n} > 1"}, {type: file_export, config: {folder: "{not_read}"}}]
`);
const shown = ({ step, path, text, grammar, from }: ExpressionSite): string =>
  `${step?.name ?? '-'} ${path.join('.')} ${grammar} ${text} (${from.step?.name ?? 'end'}${from.after ? ', after' : ''})`;

it.each<[string, string[]]>([
  [
    'pull',
    [
      'pull condition condition {q} is defined (pull)',
      'pull inputs.text template {q} (pull)',
      'pull inputs.list.0 template {r} (pull)',
      'pull params.limit template {n} (pull)',
      'pull undo.inputs.id template {pull.id} (pull)',
    ],
  ],
  ['judge', ['judge inputs.data template {pull} (judge)', 'judge params.instructions template {how} (judge)']],
  ['gate', ['gate prompt template {n}? (gate)', 'gate preview_from reference pull.entries (gate)']],
  ['plain', ['plain prompt template Go on? (plain)']],
  ['each', ['each for_each.items.0 template {a} (each)', 'each for_each.items.1 template {b} (each)']],
  ['sub', ['sub inputs.company template {item} (sub)']],
  ['again', ['again loop.until condition {in.count} > 1 (again, after)']],
  ['in', []],
  ['way', ['way route.on template {kind} (way)']],
  ['ask', ['ask_router inputs.data template {x} (ask)', 'ask_router params.instructions template {y} (ask)']],
  ['both', []],
])('the texts of the step %s that a run fills in, each with its place', (name, sites) => {
  const step = allSteps(PLAN.steps).find((each) => each.name === name)!;
  expect(stepSites(step).map(shown)).toEqual(sites);
});

it('the texts of the output see all results; where they go is no text', () => {
  const output = PLAN.output!;
  const sections = output.sections.map((section, at) => ({ section, path: ['output', 'sections', at] }));
  const destinations = output.destinations.map((destination, at) => ({
    destination,
    path: ['output', 'destinations', at],
  }));
  expect(outputSites(output, sections, destinations).map(shown)).toEqual([
    '- output.title template About {q} (end)',
    '- output.summary template {n} found (end)',
    '- output.sections.0.source reference gate (end)',
    '- output.sections.0.title template T {n} (end)',
    '- output.destinations.0.condition condition {n} > 1 (end)',
  ]);
});

it.each<[ExpressionSite['grammar'], string, string[], string | undefined, boolean]>([
  ['template', 'a {b.c} and {d}', ['b.c', 'd'], undefined, true],
  ['template', '{b.c}', ['b.c'], 'b.c', true],
  ['template', 'a {b.', [], undefined, false],
  ['reference', 'b.c', ['b.c'], 'b.c', true],
  ['reference', 'b..c', [], undefined, false],
  ['condition', '{b.c} == {d}', ['b.c', 'd'], undefined, true],
  ['condition', '{b.c} ==', [], undefined, false],
])('a %s %j reads %j, as a whole %s; it is right: %s', (grammar, text, references, whole, isRight) => {
  const site: ExpressionSite = { path: ['x'], text, grammar, from: {} };
  const read = parseSite(site);
  expect(read).toMatchObject(site);
  expect([read.references.map((ref) => ref.text), read.whole?.text, read.problem === undefined]).toEqual([
    references,
    whole,
    isRight,
  ]);
});

import { describe, expect, it } from '@jest/globals';
import type { PlaybookEntry } from '../../../../core/validate/catalogue';
import { validatePlaybook } from '../../../../core/validate/validate-playbook';
import { CATALOGUE, playbook, SAVE } from '../harness';

const save = (name: string): string => `{name: ${name}, ${SAVE}, inputs: {data: []}}`;

describe('a gate of a playbook that this one runs, which can be passed without an approval', () => {
  const entry = (more: Partial<PlaybookEntry>): PlaybookEntry => ({ inputs: [], calls: [], ...more });
  const entries: Record<string, PlaybookEntry> = {
    open: entry({ open_gates: ['lax', 'other'] }),
    closed: entry({ open_gates: [] }),
    outer: entry({ calls: ['closed', 'open'] }),
    round: entry({ calls: ['round', 'closed'] }),
    old: { inputs: [], calls: [] },
  };
  const warned = (steps: string): string[] =>
    validatePlaybook(playbook(steps), { ...CATALOGUE, playbook: (slug) => entries[slug] }).problems.flatMap(
      ({ code, step, message }) =>
        code === 'gate_in_sub_playbook'
          ? [`${step ?? ''}: ${/`[\w.]+`/.exec(message)?.[0] ?? ''} ${/`(\w+)`, which/.exec(message)?.[1] ?? ''}`]
          : [],
    );
  const run = (slug: string): string => `  - {name: s, action: run_playbook, playbook: ${slug}}\n`;
  const effect = `  - ${save('keep')}\n`;
  const read = '  - {name: q, step_type: tool, action: query_journal}\n';

  const results = (type: string): string =>
    `${run('open')}${read}output: {destinations: [{type: ${type}, config: {filename: a.md}}]}\n`;

  it.each<[string, string, string[]]>([
    ['before results that leave', results('file_export'), ['s: `open.lax` ']],
    ['before results that a chat shows', results('chat'), []],
    ['before an effect', run('open') + read + effect, ['s: `open.lax` keep']],
    ['deeper down', run('outer') + effect, ['s: `open.lax` keep']],
    ['before nothing with an effect', run('open') + read, []],
    ['behind the effect', effect + run('open'), []],
    ['of a playbook whose gates hold', run('closed') + effect, []],
    ['of a playbook of which nothing is known of gates', run('old') + effect, []],
    ['of playbooks that run each other', run('round') + effect, []],
    [
      'before an effect inside a structure',
      `${run('open')}  - {name: p, action: parallel, parallel_steps: [${save('keep')}]}\n`,
      ['s: `open.lax` keep'],
    ],
    [
      'before another playbook, which may do anything',
      `${run('open')}  - {name: t, action: run_playbook, playbook: closed}\n`,
      ['s: `open.lax` t'],
    ],
    [
      'at the same time as the effect',
      `  - {name: p, action: parallel, parallel_steps: [{name: s, action: run_playbook, playbook: open}, ${save('keep')}]}\n`,
      [],
    ],
    [
      'in a loop, where the effect comes again',
      `  - {name: l, loop: {until: "true", max_iterations: 2, steps: [${save('keep')}, {name: s, action: run_playbook, playbook: open}]}}\n`,
      ['s: `open.lax` keep'],
    ],
    [
      'in a list, where other elements begin later',
      `  - {name: l, for_each: {items: "{xs}", as: x, steps: [${save('keep')}, {name: s, action: run_playbook, playbook: open}]}}\n`,
      ['s: `open.lax` keep'],
    ],
    [
      'alone in a list, where it comes again itself',
      '  - {name: l, for_each: {items: "{xs}", as: x, steps: [{name: s, action: run_playbook, playbook: open}]}}\n',
      ['s: `open.lax` s'],
    ],
    [
      'in a list of which all elements begin at once',
      `  - {name: l, for_each: {items: [1, 2], as: x, steps: [${save('keep')}, {name: s, action: run_playbook, playbook: open}]}}\n`,
      [],
    ],
  ])('is told of %s', (_what, steps, expected) => {
    expect(warned(steps)).toEqual(expected);
  });
});

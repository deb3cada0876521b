import { describe, expect, it } from '@jest/globals';
import { ask, COMPANY, expectProblems, placesOf, playbook, PULL, SAVE, validate } from '../harness';

const save = (name: string, more = ''): string => `{name: ${name}, ${SAVE}, inputs: {data: []}${more}}`;
const codesOf = (text: string): string[] => validate(text).map((problem) => problem.code);

describe('an effect behind a gate that can be passed', () => {
  const lax = ask('gate', ', on_reject: skip');
  it.each<[string, string, string[]]>([
    [
      'is told for each step',
      `  - ${lax}\n  - ${save('one')}\n  - ${save('two')}\n`,
      ['one condition', 'two condition'],
    ],
    [
      'is told once for two gates',
      `  - ${lax}\n  - ${ask('late', ', on_reject: skip')}\n  - ${save('one')}\n`,
      ['one condition'],
    ],
    [
      'is not told of a step that only reads',
      `  - ${lax}\n  - {name: q, step_type: tool, action: query_journal}\n`,
      [],
    ],
    [
      'is told where other elements begin with it, at the step',
      `  - {name: l, for_each: {items: "{xs}", as: x, steps: [${save('one')}, ${lax}]}}\n`,
      ['one'],
    ],
    [
      'is told of what follows the list, whatever gate other elements have',
      `  - {name: l, for_each: {items: "{xs}", as: x, steps: [${ask('strict')}, ${lax}]}}\n  - ${save('two')}\n`,
      ['two condition'],
    ],
    ['is not told of a step before it', `  - ${save('one')}\n  - ${lax}\n`, []],
    [
      'is not told where a route asks for the decision',
      `  - ${lax}\n  - {name: r, route: {on: "{gate.decision}", routes: {yes: [${save('one')}]}}}\n`,
      [],
    ],
    [
      'is told where a route asks for something else',
      `  - ${lax}\n  - {name: r, route: {on: "{gate.instructions}", routes: {yes: [${save('one')}]}}}\n`,
      ['one condition'],
    ],
    [
      'is told in a DAG of what depends on the gate alone',
      `  - ${lax}\n  - ${save('one', ', depends_on: [gate]')}\n  - ${save('two')}\n`,
      ['one condition'],
    ],
    ['is not told behind a strict gate', `  - ${lax}\n  - ${ask('strict')}\n  - ${save('one')}\n`, []],
    [
      'is told behind a strict gate that may be left out',
      `  - ${lax}\n  - ${ask('strict', ', condition: "1 > 0"')}\n  - ${save('one')}\n`,
      ['one condition'],
    ],
  ])('%s', (_what, steps, expected) => {
    expect(placesOf(playbook(steps), 'effect_after_skippable_gate')).toEqual(expected);
  });

  it('an effect behind a gate that can be passed without a yes', () => {
    const gate = (more: string): string => `  - ${ask('gate', more)}\n`;
    const save = (more = ''): string => `  - {name: save, ${SAVE}, inputs: {data: []}${more}}`;
    const warned = (steps: string): boolean => codesOf(playbook(steps)).includes('effect_after_skippable_gate');
    expect(warned(gate('') + save())).toBe(false);
    expect(warned(gate(', timeout_minutes: 5') + save())).toBe(false);
    expect(warned(gate(', on_timeout: skip') + save())).toBe(false);
    expect(warned(gate(', timeout_minutes: 5, on_timeout: skip') + save())).toBe(true);
    expect(warned(gate(', on_reject: skip') + save())).toBe(true);
    expect(warned(gate(', on_reject: skip') + save(`, condition: "{gate.decision} == 'approved'"`))).toBe(false);
    expect(warned(gate(', on_reject: skip') + save(`, condition: "{gate.result.decision} == 'approved'"`))).toBe(false);
    expect(warned(gate(', on_reject: skip') + save(`, condition: "{gate.instructions} is defined"`))).toBe(true);
    expect(
      warned(
        `${gate(', on_reject: skip')}  - {name: p, condition: "{gate.decision} == 'approved'", action: parallel, parallel_steps: [{name: save, ${SAVE}, inputs: {data: []}}]}`,
      ),
    ).toBe(false);
    expect(
      warned(
        `${gate(', on_reject: skip')}  - {name: r, route: {on: "{gate.decision}", routes: {approved: [{name: save, ${SAVE}, inputs: {data: []}}]}}}`,
      ),
    ).toBe(false);
    expect(warned(`${gate(', on_reject: skip')}  - ${ask('strict')}\n${save()}`)).toBe(false);
    expect(
      warned(`${gate(', on_reject: skip')}  - ${ask('strict', ', condition: "{gate.decision} == 1"')}\n${save()}`),
    ).toBe(true);
    expect(
      warned(
        `  - {name: l, loop: {until: "true", max_iterations: 2, steps: [{name: save, ${SAVE}, inputs: {data: []}}, ${ask('gate', ', on_reject: skip')}]}}`,
      ),
    ).toBe(true);
    expectProblems(playbook(gate(', timeout_minutes: 5, on_timeout: skip, on_reject: skip') + save()), [
      {
        code: 'effect_after_skippable_gate',
        at: '{name: save',
        step: 'save',
        severity: 'warning',
        message: '`save` has an effect and runs even when the gate `gate` was rejected or not answered.',
        suggestion: `Write condition: "{gate.decision} == 'approved'".`,
      },
    ]);
  });

  it('asks what an endpoint does', () => {
    const call = (endpoint: string): string =>
      `  - ${ask('gate', ', on_reject: skip')}\n  - {name: c, step_type: tool, action: call_connector, connector: irs, endpoint: ${endpoint}}`;
    expect(codesOf(playbook(call('submit')))).toEqual(['effect_after_skippable_gate']);
    expect(codesOf(playbook(call('filings')))).toEqual(['missing_required']);
  });

  it('a condition that reads a gate as a whole does not ask what it decided', () => {
    const gate = '  - {name: g, step_type: approval, timeout_minutes: 5, on_timeout: skip}\n';
    const save = `  - {name: s, ${SAVE}, inputs: {data: "{pull.results}"}, condition: "{g} == 'x'"}`;
    const found = validate(playbook(PULL + gate + save, COMPANY));
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'effect_after_skippable_gate condition',
      'type_mismatch condition',
    ]);
  });
});

describe('results behind a gate that can be passed', () => {
  it('results that leave behind a gate that nobody answered', () => {
    const told = (gate: string, destinations: string, more = ''): string[] =>
      validate(`${playbook(`  - ${ask('gate', gate)}\n${more}`)}\noutput: {destinations: [${destinations}]}`)
        .filter(({ code }) => code === 'effect_after_skippable_gate')
        .map(({ field, message }) => `${field ?? ''}: ${message}`);
    const silent = ', timeout_minutes: 5, on_timeout: skip';
    const file = '{type: file_export, config: {filename: a.md}}';
    const asked = `{type: file_export, config: {filename: a.md}, condition: "{gate.decision} == 'approved'"}`;
    const warned = (at: number): string =>
      `output.destinations[${at}]: The results go to \`file_export\` even when the gate \`gate\` was not answered.`;
    expect(told(silent, file)).toEqual([warned(0)]);
    expect(told(silent, `{type: chat}, ${asked}, ${file}`)).toEqual([warned(2)]);
    expect(told(silent, '{type: chat}')).toEqual([]);
    expect(told(silent, asked)).toEqual([]);
    expect(told(', timeout_minutes: 5, on_timeout: stop', file)).toEqual([]);
    expect(told(', timeout_minutes: 5', file)).toEqual([]);
    expect(told(silent, file, `  - ${ask('strict')}\n`)).toEqual([]);
  });

  it('a gate whose end of time is not written stops the run, and nothing is warned of', () => {
    const save = `  - {name: s, ${SAVE}, inputs: {data: "{pull.results}"}}`;
    const gate = (more: string): string => `  - {name: g, step_type: approval, timeout_minutes: 5${more}}\n`;
    const output =
      'output: {sections: [{title: A, source: "{pull.results}"}], destinations: [{type: data_workspace_table, config: {table_name: t}}]}';
    const codes = (more: string): string[] =>
      validate(playbook(PULL + gate(more) + save, `${COMPANY}\n${output}`)).map(
        ({ code, field }) => `${code} ${field}`,
      );
    expect(codes('')).toEqual([]);
    expect(codes(', on_timeout: skip')).toEqual([
      'effect_after_skippable_gate output.destinations[0]',
      'effect_after_skippable_gate condition',
    ]);
  });
});

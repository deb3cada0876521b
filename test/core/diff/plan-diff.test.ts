import { describe, expect, it } from '@jest/globals';
import { diffPlans } from '../../../core/diff/plan-diff';
import { planOf } from '../playbook/support';

const step = (name: string, count = 2): string =>
  `  - {name: ${name}, step_type: tool, action: transform_data, inputs: {data: []}, operations: [{type: limit, count: ${count}}]}\n`;
const plan = (...steps: string[]) => planOf(`id: test\nname: Test\nsteps:\n${steps.join('')}`);

describe('diffPlans', () => {
  it('finds nothing between a plan and itself', () => {
    const same = plan(step('a'), step('b'));
    expect(diffPlans(same, same)).toEqual({ added: [], removed: [], changed: [], moved: [], settings: [] });
  });

  it('names what came, what went, and which fields changed', () => {
    const diff = diffPlans(plan(step('a'), step('b'), step('c')), plan(step('b', 3), step('c'), step('d')));
    expect(diff).toMatchObject({
      added: [{ step: 'd', kind: 'tool' }],
      removed: [{ step: 'a', kind: 'tool' }],
      changed: [{ step: 'b', fields: [{ field: 'params', from: expect.anything(), to: expect.anything() }] }],
      moved: [],
      settings: [],
    });
  });

  it('tells a step that went inside another one, and others that changed places', () => {
    const inside = `  - name: both\n    action: parallel\n    parallel_steps:\n    ${step('a').trimStart().replace(/^/, '  ')}`;
    const diff = diffPlans(plan(step('a'), step('b')), plan(step('b'), inside));
    expect(diff.added).toEqual([{ step: 'both', kind: 'parallel' }]);
    expect(diff.moved).toEqual([{ step: 'a', kind: 'tool', parent: 'both' }]);
    const turned = diffPlans(plan(step('a'), step('b'), step('c')), plan(step('b'), step('a'), step('c')));
    expect(turned.moved.map((place) => place.step)).toEqual(['b', 'a']);
    expect(turned.changed).toEqual([]);
  });

  it('tells what changed of the playbook itself', () => {
    const other = planOf(`id: test\nname: Other\nsteps:\n${step('a')}`);
    expect(diffPlans(plan(step('a')), other).settings).toEqual([{ field: 'name', from: 'Test', to: 'Other' }]);
  });
});

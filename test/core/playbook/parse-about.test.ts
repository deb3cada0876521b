import { describe, expect, it } from '@jest/globals';
import { planOf, problems, spots } from './support';

const text = (head: string): string => `${head}\nid: a\nsteps: [{name: a, step_type: approval}]`;

describe('what a playbook says of itself', () => {
  it.each([
    ['tags: us', '1:7 invalid_type'],
    ['tags: [us, 2024]', '1:12 invalid_type'],
    ['tags: [us, US Elections]', '1:12 invalid_value'],
    ['tags: [us, eu, us]', '1:16 duplicate_name'],
    [`tags: [${'x'.repeat(41)}]`, '1:8 invalid_value'],
    [`tags: [${Array.from({ length: 21 }, (_, no) => `t${no}`).join(', ')}]`, '1:7 invalid_value'],
    [`category: ${'x'.repeat(101)}`, '1:11 invalid_value'],
    [`triggers: [{pattern: ${'x'.repeat(501)}}]`, '1:22 invalid_value'],
    [`triggers: [${'{pattern: x}, '.repeat(51)}]`, '1:11 invalid_value'],
    ['monitor_config: {}', '1:17 missing_field'],
    ['monitor_config: {interval: 5m, active_hours: {start: "108:00", end: "20:00"}}', '1:54 invalid_value'],
    ['monitor_config: {interval: 5m, active_hours: {start: "08:000", end: "20:00"}}', '1:54 invalid_value'],
    ['monitor_config: {interval: 5m, active_hours: {start: "08:00"}}', '1:46 missing_field'],
    [`required_connectors: [${'x, '.repeat(101)}]`, '1:22 invalid_value'],
  ])('%s is refused at its place', (head, spot) => {
    expect(spots(text(head))).toEqual([spot]);
  });

  it('says how a tag is written', () => {
    expect(problems(text('tags: [US Élections, 2024]')).map(({ field, suggestion }) => [field, suggestion])).toEqual([
      ['tags[0]', 'Write us-elections.'],
      ['tags[1]', 'Write "2024".'],
    ]);
  });

  it('is in the plan where something is said, with the defaults of triggers', () => {
    expect(planOf(text('triggers: [{pattern: x}]\ntags: []')).playbook).toEqual({
      id: 'a',
      name: 'a',
      triggers: [{ pattern: 'x', type: 'keyword', priority: 0 }],
    });
  });
});

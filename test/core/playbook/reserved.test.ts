import { describe, expect, it } from '@jest/globals';
import { spots, withSteps } from './support';

describe('names that no playbook uses', () => {
  it.each(['__proto__', 'constructor', 'prototype'])('nothing is called %s', (name) => {
    const expected: [string, string][] = [
      [withSteps(`  - {name: ${name}, step_type: approval}`), '3:12 reserved_name'],
      [withSteps(`  - {name: a, step_type: approval, output_key: ${name}}`), '3:48 reserved_name'],
      [
        withSteps(`  - {name: a, for_each: {items: [], as: ${name}, steps: [{name: b, step_type: approval}]}}`),
        '3:41 reserved_name',
      ],
      [`id: a\ninputs: [{name: ${name}}]\nsteps: [{name: a, step_type: approval}]`, '2:17 reserved_name'],
      [`id: ${name}\nsteps: [{name: a, step_type: approval}]`, '1:5 reserved_name'],
    ];
    for (const [text, spot] of expected) expect(spots(text)).toEqual([spot]);
  });
});

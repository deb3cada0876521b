import { describe, expect, it } from '@jest/globals';
import { COMPANY, expectProblems, playbook, validate } from '../harness';

describe('R03: sub-playbooks', () => {
  it.each([
    ['test', 'playbook_cycle', 'This playbook would run itself: test → test.'],
    ['back', 'playbook_cycle', 'This playbook would run itself: test → back → middle → test.'],
    ['chld', 'unknown_playbook', 'There is no playbook `chld`.'],
    ['deep1', 'too_deep', 'The runs that this step starts lie 6 deep; at most 5 are allowed.'],
    [
      '"{company}"',
      'must_be_literal',
      '`playbook` must be written out: it decides how the step is checked, so it cannot come from a run.',
    ],
  ])('%s', (slug, code, message) => {
    expectProblems(playbook(`  - {name: s, action: run_playbook, playbook: ${slug}}`, COMPANY), [
      { code, at: slug, step: 's', field: 'playbook', message },
    ]);
  });

  it('five deep is allowed', () => {
    expect(validate(playbook('  - {name: s, action: run_playbook, playbook: deep2}'))).toEqual([]);
  });
});

describe('a step that runs a playbook', () => {
  it.each(['', ', playbook: ""'])('a playbook that is run and not named is missing, and no unknown one: %s', (more) => {
    const found = validate(playbook(`  - {name: c, step_type: tool, action: run_playbook${more}}`));
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual(['missing_field playbook']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';

const parse = (more: string) =>
  parsePlaybook(`id: p\nname: P\nsteps:\n  - {name: ask, step_type: approval, prompt: Go?${more}}\n`);

describe('who decides a gate', () => {
  it('is read as it is written, and nothing is added to a gate without rules', () => {
    const { plan } = parse(
      ', timeout_minutes: 60, approvers: {users: [ann, ann, bob], teams: [Desk], scopes: ["money:approver"]}, quorum: 2, four_eyes: true, link_only: false, remind_after_minutes: 10, escalate_after_minutes: 20, escalate_to: {users: [eve]}',
    );
    expect(plan?.steps[0]).toMatchObject({
      rules: {
        approvers: { users: ['ann', 'bob'], teams: ['Desk'], scopes: ['money:approver'] },
        quorum: 2,
        four_eyes: true,
        link_only: false,
        remind_after_minutes: 10,
        escalate_after_minutes: 20,
        escalate_to: { users: ['eve'] },
      },
    });
    expect(parse('').plan?.steps[0]).not.toHaveProperty('rules');
  });

  it.each([
    [', approvers: {user: [ann]}', 'unknown_field', 'Did you mean `users`?'],
    [', aprovers: {users: [ann]}', 'unknown_field', 'Did you mean `approvers`?'],
    [', approvers: {}', 'invalid_value', 'List people in users'],
    [', approvers: {scopes: [boss]}', 'invalid_value', undefined],
    [', approvers: {users: [""]}', 'invalid_value', undefined],
    [', approvers: ann', 'invalid_type', undefined],
    [', approvers: {users: [ann]}, quorum: 0', 'invalid_value', undefined],
    [', approvers: {users: [ann]}, quorum: 2', 'invalid_value', 'Write at most 1.'],
    [', quorum: 2', 'missing_field', 'Name the people'],
    [', four_eyes: true', 'missing_field', 'Name the people'],
    [', four_eyes: maybe', 'invalid_type', undefined],
    [', escalate_after_minutes: 5', 'missing_field', 'An escalation needs both'],
    [', escalate_to: {users: [eve]}', 'missing_field', 'An escalation needs both'],
    [', timeout_minutes: 5, remind_after_minutes: 5', 'invalid_value', 'Make it shorter'],
  ])('%s: %s', (more, code, suggestion) => {
    const { problems } = parse(more);
    const problem = problems.find((each) => each.code === code);
    expect(problem).toMatchObject({ step: 'ask', severity: 'error', line: 4 });
    if (suggestion !== undefined) expect(problem?.suggestion).toContain(suggestion);
  });
});

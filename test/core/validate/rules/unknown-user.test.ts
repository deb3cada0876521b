import { describe, expect, it } from '@jest/globals';
import { validatePlaybook } from '../../../../core/validate/validate-playbook';
import { ask, CATALOGUE, playbook } from '../harness';

describe('the approvers of a gate', () => {
  it('people of a gate whom there are not, with the near one', () => {
    const gate = ask(
      'a',
      ', approvers: {users: [ann, rosalnd]}, escalate_after_minutes: 5, escalate_to: {users: [ghost]}',
    );
    const known = { ...CATALOGUE, unknownUsers: ['rosalnd', 'ghost'], colleagues: ['ann', 'rosalind'] };
    const found = (catalogue: typeof known | typeof CATALOGUE) =>
      validatePlaybook(playbook(`  - ${gate}`), catalogue)
        .problems.filter(({ code }) => code === 'unknown_user')
        .map(({ severity, step, field, suggestion }) => [severity, step, field, suggestion]);
    expect(found(known)).toEqual([
      ['warning', 'a', 'approvers.users[1]', 'Did you mean `rosalind`?'],
      ['warning', 'a', 'escalate_to.users[0]', 'Name people by the handle that they sign in with.'],
    ]);
    expect(found(CATALOGUE)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { validatePlaybook } from '../../../../core/validate/validate-playbook';
import { ask, CATALOGUE, playbook } from '../harness';

describe('the approvers of a gate', () => {
  it('teams of a gate that the author is not in, with the near one', () => {
    const teams = [
      { id: '11111111-2222-4333-8444-55555555555a', name: 'Finance' },
      { id: '66666666-2222-4333-8444-55555555555b', name: 'Lab' },
    ];
    const gate = ask(
      'a',
      ', approvers: {teams: [Lab, Finanse, 11111111-2222-4333-8444-55555555555A]}, escalate_after_minutes: 5, escalate_to: {teams: [Board]}',
    );
    const text = playbook(`  - ${gate}`);
    const found = (known?: typeof teams) =>
      validatePlaybook(text, known === undefined ? CATALOGUE : { ...CATALOGUE, teams: known })
        .problems.filter(({ code }) => code === 'unknown_team')
        .map(({ severity, step, field, suggestion }) => [severity, step, field, suggestion]);
    expect(found(teams)).toEqual([
      ['warning', 'a', 'approvers.teams[1]', 'Did you mean `Finance`?'],
      ['warning', 'a', 'escalate_to.teams[0]', 'Your teams: Finance, Lab.'],
    ]);
    expect(found([]).map(([, , , suggestion]) => suggestion)).toEqual(Array(4).fill('You are in no team.'));
    expect(found()).toEqual([]);
  });
});

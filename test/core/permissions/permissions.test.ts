import { describe, expect, it } from '@jest/globals';
import { effectiveScopes, excessScopes, reachesObjects } from '../../../core/permissions/key-rights';
import { covers, parseScope } from '../../../core/permissions/scopes';
import { mayGiveRole, TEAM_ROLES, teamMay, type TeamRight } from '../../../core/permissions/team-roles';

describe('a scope', () => {
  it('is no text that only looks like one', () => {
    expect(parseScope('macro:admin')).toEqual({ group: 'macro', role: 'admin' });
    for (const text of ['admin', ':admin', 'macro:', 'macro:owner', 'Macro:admin', 'a:b:admin', 'macro:admin ']) {
      expect([text, parseScope(text)]).toEqual([text, undefined]);
    }
  });

  it('covers the lower roles of its own group', () => {
    expect(covers(['macro:analyst'], 'macro:editor')).toBe(true);
    expect(covers(['macro:analyst'], 'macro:admin')).toBe(false);
    expect(covers(['macro:admin'], 'equity:reader')).toBe(false);
  });
});

describe('an API key', () => {
  const owner = ['macro:analyst', 'global:admin'];

  it('has what its owner has at the moment, and never more', () => {
    expect(effectiveScopes({ scopes: null }, owner)).toEqual(owner);
    expect(effectiveScopes({ scopes: ['macro:reader', 'macro:admin', 'equity:reader'] }, owner)).toEqual([
      'macro:reader',
    ]);
    expect(effectiveScopes({ scopes: ['global:admin'] }, [])).toEqual([]);
    expect(excessScopes(['macro:editor', 'equity:reader', 'nonsense'], owner)).toEqual(['equity:reader', 'nonsense']);
    expect(covers(['global:admin'], 'macro:reader')).toBe(false);
  });

  it('with a list reaches what is on it, and nothing that names no object', () => {
    expect(reachesObjects({ objects: null }, [])).toBe(true);
    expect(reachesObjects({ objects: ['a', 'b'] }, ['a', 'b'])).toBe(true);
    expect(reachesObjects({ objects: ['a', 'b'] }, ['a', 'c'])).toBe(false);
    expect(reachesObjects({ objects: ['a', 'b'] }, [])).toBe(false);
    expect(reachesObjects({ objects: [] }, ['a'])).toBe(false);
  });
});

describe('roles of a team', () => {
  it.each<[TeamRight, string]>([
    ['see', 'owner admin member viewer'],
    ['run', 'owner admin member'],
    ['share', 'owner admin member'],
    ['members', 'owner admin'],
    ['settings', 'owner admin'],
    ['transfer', 'owner'],
  ])('%s: %s', (right, roles) => {
    expect(TEAM_ROLES.filter((role) => teamMay(role, right)).join(' ')).toBe(roles);
    expect(teamMay(undefined, right)).toBe(false);
  });

  it('are given only below one’s own', () => {
    const given = TEAM_ROLES.map((by) => TEAM_ROLES.filter((role) => mayGiveRole(by, role)).join(' '));
    expect(given).toEqual(['admin member viewer', 'member viewer', '', '']);
  });
});

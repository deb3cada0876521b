import { describe, expect, it } from '@jest/globals';
import { effectiveScopes, excessScopes, reachesObjects } from '../../../core/permissions/key-rights';
import { covers, parseScope, type ScopeRole } from '../../../core/permissions/scopes';
import { mayGiveRole, TEAM_ROLES, teamMay, type TeamRight } from '../../../core/permissions/team-roles';
import { mayUse, type ToolRule } from '../../../core/permissions/tool-rule';

const rule = (required_role: ScopeRole, topic_scoped: boolean, global_admin_override = true): ToolRule => ({
  required_role,
  topic_scoped,
  global_admin_override,
});
const TOPIC = 'macro';
/** The lowest scope that suffices for a call about `macro`, for each operation of the editorial matrix. */
const MATRIX: [operation: string, rule: ToolRule, suffices: string][] = [
  ['search articles', rule('reader', true), 'macro:reader'],
  ['get an article', rule('reader', false), 'equity:reader'],
  ['search resources', rule('reader', false), 'equity:reader'],
  ['get tonalities', rule('reader', false), 'equity:reader'],
  ['create a draft', rule('analyst', true), 'macro:analyst'],
  ['write an article', rule('analyst', true), 'macro:analyst'],
  ['create a text resource', rule('analyst', true), 'macro:analyst'],
  ['create a table resource', rule('analyst', true), 'macro:analyst'],
  ['attach a resource', rule('analyst', true), 'macro:analyst'],
  ['search the web', rule('analyst', false), 'equity:analyst'],
  ['submit for review', rule('analyst', true), 'macro:analyst'],
  ['request changes', rule('editor', true), 'macro:editor'],
  ['publish', rule('editor', true), 'macro:editor'],
  ['approve a publication', rule('editor', true), 'macro:editor'],
  ['get prompts', rule('admin', true), 'macro:admin'],
  ['edit prompts', rule('admin', true, false), 'macro:admin'],
];
const BELOW: Record<string, string> = { reader: 'none', editor: 'reader', analyst: 'editor', admin: 'analyst' };

describe('the rule of a tool', () => {
  it.each(MATRIX)('%s', (_operation, tool, suffices) => {
    const [group, role = ''] = suffices.split(':');
    expect(mayUse([suffices], tool, TOPIC)).toBe(true);
    expect(mayUse([`${group}:${BELOW[role]}`], tool, TOPIC)).toBe(false);
    expect(mayUse([], tool, TOPIC)).toBe(false);
    // Another topic's role is none in this one.
    expect(mayUse([`equity:admin`], tool, TOPIC)).toBe(!tool.topic_scoped);
    // The administrator, and every role of the group `global`, only where the override is on.
    expect(mayUse(['global:admin'], tool, TOPIC)).toBe(tool.global_admin_override);
    expect(mayUse([`global:${role}`], tool, TOPIC)).toBe(tool.global_admin_override);
  });

  it('about a topic is not met by a call without one', () => {
    expect(mayUse(['macro:admin'], rule('reader', true))).toBe(false);
    expect(mayUse(['global:admin'], rule('reader', true))).toBe(true);
  });

  it('with named scopes asks for one of them, literally', () => {
    const named = { ...rule('reader', false, false), allowed_scopes: ['macro:editor', 'global:editor'] };
    expect(mayUse(['macro:editor'], named)).toBe(true);
    expect(mayUse(['macro:admin', 'global:editor'], named)).toBe(false);
  });

  it('is met by no text that only looks like a scope', () => {
    for (const text of ['admin', ':admin', 'macro:', 'macro:owner', 'Macro:admin', 'a:b:admin', 'macro:admin ']) {
      expect([text, parseScope(text), mayUse([text], rule('reader', false))]).toEqual([text, undefined, false]);
    }
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

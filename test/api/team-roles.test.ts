import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { joinTeam } from '../db/db-fixture';
import { startApi, type TestApi } from './api-fixture';
import { anonymous, withKey, type Call } from './people';
import { newProfile, newTeam, PROFILE_FACTORIES } from './profile-objects';
import { account, made, newConnector, slug } from './walk-objects';

/** Roles of people in a team, and towards a profile that its owner shares with it. */
const ROLES = ['outsider', 'viewer', 'member', 'admin'] as const;
type Who = (typeof ROLES)[number];
type Wanted = readonly [outsider: string, viewer: string, member: string, admin: string];

interface Role {
  id: string;
  call: Call;
  readOnly: Call;
}
interface World {
  /** Names in the paths and bodies below. */
  ids: Record<string, string>;
}

let api: TestApi;
let founder: Role;
let people: Record<Who, Role>;
beforeAll(async () => {
  api = await startApi();
  founder = await person();
  people = { outsider: await person(), viewer: await person(), member: await person(), admin: await person() };
});
afterAll(() => api.close());

async function person(): Promise<Role> {
  const id = await account({ api, ownerId: '', call: anonymous(api) }, {});
  return { id, call: await withKey(api, id), readOnly: await withKey(api, id, { read_only: true }) };
}

/** A team of the founder's with one of each role, and a profile that they share with it. */
async function world(): Promise<World> {
  const maker = { api, ownerId: founder.id, call: founder.call };
  const handle = slug();
  const id = await made(founder.call, '/profiles', { handle, name: 'Shared' });
  const teamId = await newTeam(maker, {});
  for (const role of ['viewer', 'member', 'admin'] as const) {
    await joinTeam(api.database, { by: founder.id, teamId, user: people[role].id, role });
  }
  await made(founder.call, `/profiles/${id}/share`, { team_id: teamId });
  const invitation = await made(founder.call, `/teams/${teamId}/members`, {
    user: await account(maker, {}),
    role: 'viewer',
  });
  const make = async (key: string): Promise<string> => (await PROFILE_FACTORIES[key]?.(maker, { id, teamId })) ?? '';
  return {
    ids: {
      profile: id,
      handle,
      team: teamId,
      connector: await make('connectors/{connectorId}'),
      skill: await make('skills/{skillId}'),
      user: await make('members/{userId}'),
      newcomer: await account(maker, {}),
      invitation,
    },
  };
}

const NO_PROFILE = '404 profile_not_found';
const NO_TEAM = '404 team_not_found';
const NOT_OWNER = '403 not_profile_owner';
const ROLE = '403 team_role_required';
const SEEN: Wanted = [NO_PROFILE, '200', '200', '200'];
const OWNERS_ALONE: Wanted = [NO_PROFILE, NOT_OWNER, NOT_OWNER, NOT_OWNER];
const NOT_FOUND = '404 invitation_not_found';
const NOT_INVITED: Wanted = [NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND];
const TEAM_SEEN: Wanted = [NO_TEAM, '200', '200', '200'];

const ROWS: [call: string, body: object | undefined, wanted: Wanted][] = [
  ['GET /profiles/:profile', undefined, SEEN],
  ['GET /profiles/:profile/journal', undefined, SEEN],
  ['GET /profiles/:profile/journal/summary', undefined, SEEN],
  ['GET /resolve-handle?handle=:handle', undefined, ['404 handle_not_found', '200', '200', '200']],
  ['PUT /profiles/:profile', { name: 'Mine' }, OWNERS_ALONE],
  ['DELETE /profiles/:profile', undefined, OWNERS_ALONE],
  ['POST /profiles/:profile/duplicate', { handle: 'mine' }, OWNERS_ALONE],
  ['GET /profiles/:profile/connectors', undefined, OWNERS_ALONE],
  ['POST /profiles/:profile/connectors', { connector: 'mine' }, OWNERS_ALONE],
  ['PUT /profiles/:profile/connectors/:connector', { is_enabled: false }, OWNERS_ALONE],
  ['DELETE /profiles/:profile/connectors/:connector', undefined, OWNERS_ALONE],
  ['GET /profiles/:profile/skills', undefined, OWNERS_ALONE],
  ['POST /profiles/:profile/skills', { skill_type: 'built_in', skill_reference: 'research' }, OWNERS_ALONE],
  ['PUT /profiles/:profile/skills/:skill', { priority: 9 }, OWNERS_ALONE],
  ['DELETE /profiles/:profile/skills/:skill', undefined, OWNERS_ALONE],
  ['GET /profiles/:profile/shares', undefined, OWNERS_ALONE],
  ['POST /profiles/:profile/share', { team_id: ':team' }, OWNERS_ALONE],
  [
    'PUT /profiles/:profile/share/:team',
    { journal_visibility: 'full' },
    [NO_PROFILE, NOT_OWNER, NOT_OWNER, '403 only_narrower'],
  ],
  [
    'PUT /profiles/:profile/share/:team',
    { is_active: false, journal_visibility: 'own_only' },
    [NO_PROFILE, NOT_OWNER, NOT_OWNER, '200'],
  ],
  ['DELETE /profiles/:profile/share/:team', undefined, [NO_PROFILE, ROLE, ROLE, '204']],
  ['GET /teams/:team', undefined, TEAM_SEEN],
  ['GET /teams/:team/agents', undefined, TEAM_SEEN],
  ['GET /teams/:team/members', undefined, TEAM_SEEN],
  ['PUT /teams/:team', { name: 'Ours' }, [NO_TEAM, ROLE, ROLE, '200']],
  ['DELETE /teams/:team', undefined, [NO_TEAM, ROLE, ROLE, ROLE]],
  ['POST /teams/:team/members', { user: ':newcomer', role: 'viewer' }, [NO_TEAM, ROLE, ROLE, '201']],
  ['POST /teams/:team/members', { user: ':newcomer', role: 'admin' }, [NO_TEAM, ROLE, ROLE, ROLE]],
  ['GET /teams/:team/invitations', undefined, [NO_TEAM, ROLE, ROLE, '200']],
  ['DELETE /teams/:team/invitations/:invitation', undefined, [NO_TEAM, ROLE, ROLE, '204']],
  ['POST /team-invitations/:invitation/accept', undefined, NOT_INVITED],
  ['POST /team-invitations/:invitation/decline', undefined, NOT_INVITED],
  ['PUT /teams/:team/members/:user', { role: 'member' }, [NO_TEAM, ROLE, ROLE, '200']],
  ['PUT /teams/:team/members/:user', { role: 'owner' }, [NO_TEAM, ROLE, ROLE, ROLE]],
  ['DELETE /teams/:team/members/:user', undefined, [NO_TEAM, ROLE, ROLE, '204']],
];

function filled(text: string, ids: Record<string, string>): string {
  return text.replace(/:([a-z]+)\b/g, (all, name: string) => ids[name] ?? all);
}

async function outcome(
  call: Call,
  row: string,
  body: object | undefined,
  ids: Record<string, string>,
): Promise<string> {
  const [method = '', path = ''] = filled(row, ids).split(' ');
  const sent: unknown =
    body === undefined
      ? undefined
      : JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
          typeof value === 'string' ? filled(value, ids) : value,
        );
  const answer = await call(method, path, sent, method === 'GET' ? {} : { 'if-match': '*' });
  return [answer.status, answer.body.code].filter((part) => part !== undefined).join(' ');
}

describe('roles in a team', () => {
  it.each(ROWS)('%s %j', async (row, body, wanted) => {
    const { ids } = await world();
    const got: string[] = [];
    // The admin comes last: what they may do changes the others.
    for (const role of ROLES) {
      if (!row.startsWith('GET')) {
        expect(await outcome(people[role].readOnly, row, body, ids)).toBe('403 key_read_only');
      }
      got.push(await outcome(people[role].call, row, body, ids));
    }
    expect(got).toEqual(wanted);
  });

  it('let members bring what is theirs, and nobody else', async () => {
    const { ids } = await world();
    const got: string[] = [];
    for (const role of ROLES) {
      const { id: ownerId, call } = people[role];
      const profile = await newProfile({ api, ownerId, call }, {});
      got.push(await outcome(call, `POST /profiles/${profile}/share`, { team_id: ':team' }, ids));
    }
    expect(got).toEqual([NO_TEAM, ROLE, '201', '201']);
  });

  it('give nobody the objects that a shared profile uses', async () => {
    const { ids } = await world();
    const own = await newConnector({ api, ownerId: founder.id, call: founder.call }, {});
    for (const role of ROLES) {
      for (const id of [ids['connector'], own]) {
        expect(await outcome(people[role].call, `GET /connectors/${id}`, undefined, {})).toBe(
          '404 connector_not_found',
        );
      }
    }
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startApi, type TestApi } from './api-fixture';
import { register, withKey, type Call } from './people';
import { INPUTS, made, playbook } from './walk-objects';

let api: TestApi;
let call: Call;
let other: Call;
beforeAll(async () => {
  api = await startApi();
  const [one, two] = [await register(api), await register(api)];
  call = await withKey(api, one.id);
  other = await withKey(api, two.id);
  await made(call, '/playbooks', { source: playbook('largest-grants') });
  await api.admin.query(
    `insert into plugins (id, name, version, connection_type, tool_pack_name, is_builtin, tool_contracts)
      values (gen_random_uuid(), 'trello', '1.0', 'api_key', 'trello', true, '[]')`,
  );
  await made(call, '/profiles', { handle: 'grant-reader', name: 'Grant Reader' });
});
afterAll(() => api.close());

it.each([
  ['GET', '/actions/transform_dat', undefined, 'transform_data'],
  ['POST', '/connectors/from-template', { template: 'irs-909-xml' }, 'irs-990-xml'],
  ['POST', '/connectors/from-template/irs-990-xlm', {}, 'irs-990-xml'],
  ['POST', '/profiles/from-template', { template: 'nonprofit-investigater' }, 'nonprofit-investigator'],
  ['GET', '/plugins/trelo', undefined, 'trello'],
  ['GET', '/playbooks/largest-grant', undefined, 'largest-grants'],
  ['POST', '/runs', { playbook: 'largest-grannts', inputs: INPUTS }, 'largest-grants'],
] as const)('%s %s %j names what was probably meant: %s', async (method, path, body, meant) => {
  const { body: said } = await call(method, path, body);
  expect(said.detail).toContain(`Did you mean "${meant}"?`);
});

it('of bindings are compared with one’s own', async () => {
  const id = await made(call, '/profiles', { handle: `p-${randomUUID().slice(0, 8)}`, name: 'Bound' });
  const skill = { skill_type: 'playbook', skill_reference: 'largest-grantz' };
  expect((await call('POST', `/profiles/${id}/skills`, skill)).body).toMatchObject({
    code: 'playbook_not_found',
    detail: expect.stringContaining('Did you mean "largest-grants"?'),
  });
});

it('of teams in a gate are compared with those that one is in, when the text is validated', async () => {
  await made(call, '/teams', { name: 'Finance' });
  const source = `id: gated\nname: Gated\nsteps:\n  - {name: ask, step_type: approval, prompt: Go?, approvers: {teams: [Finanse]}}\n`;
  const problem = { severity: 'warning', code: 'unknown_team', field: 'approvers.teams[0]', line: 4 };
  const { body } = await call('POST', '/playbooks/validate', { source });
  expect(body).toMatchObject({ valid: true, problems: [{ ...problem, suggestion: 'Did you mean `Finance`?' }] });
  const { body: foreign } = await other('POST', '/playbooks/validate', { source });
  expect(foreign).toMatchObject({ valid: true, problems: [{ ...problem, suggestion: 'You are in no team.' }] });
  const right = await call('POST', '/playbooks/validate', { source: source.replace('Finanse', 'Finance') });
  expect(right.body).toMatchObject({ valid: true, problems: [] });
});

it('of people in a gate are looked up when the text is validated; oneself and ids are not told', async () => {
  const users = `[local, ghost, 11111111-2222-4333-8444-55555555555a]`;
  const source = `id: asks\nname: Asks\nsteps:\n  - {name: ask, step_type: approval, prompt: Go?, approvers: {users: ${users}}}\n`;
  const { body } = await call('POST', '/playbooks/validate', { source });
  expect(body).toMatchObject({
    valid: true,
    problems: [{ severity: 'warning', code: 'unknown_user', field: 'approvers.users[1]', line: 4 }],
  });
});

it('of fields of a body are compared with those that it has', async () => {
  const { body } = await call('POST', '/runs', { playbok: 'x', inputs: {}, zzz: 1 });
  expect(body.problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'unknown_field', field: 'playbok', suggestion: 'Did you mean "playbook"?' }),
    ]),
  );
  expect(body.problems?.find(({ field }) => field === 'zzz')).not.toHaveProperty('suggestion');
});

it('are never answered with the name of what somebody else has', async () => {
  for (const path of ['/playbooks/largest-grant', '/resolve-handle?handle=grant-reade']) {
    const { status, body } = await other('GET', path);
    expect([path, status, body.detail?.includes('Did you mean')]).toEqual([path, 404, false]);
  }
  const own = await call('GET', '/resolve-handle?handle=grant-reade');
  expect(own.body.detail).toContain('Did you mean "grant-reader"?');
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startApi, type Answer, type TestApi } from './api-fixture';

/** Template → its connectors in order, and whether they are called; its skills in order. */
const AGENTS: Record<string, { connectors: Record<string, boolean>; skills: string[] }> = {
  'nonprofit-investigator': {
    connectors: { 'propublica-nonprofit': true, 'irs-990-xml': true, 'fec-contributions': true, opensecrets: false },
    skills: ['research', 'nonprofit-investigation', 'officer-cross-reference'],
  },
  'political-finance-tracker': {
    connectors: { 'fec-contributions': true, 'congress-gov': true, opensecrets: false },
    skills: ['research', 'contribution-analysis', 'pac-network-mapping'],
  },
  'corporate-intelligence-analyst': {
    connectors: { 'sec-edgar': true, opencorporates: true, wikidata: true, 'irs-990-xml': true },
    skills: ['research', 'corporate-structure-analysis', 'board-interlock-mapping'],
  },
};

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const create = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  api.call('POST', '/profiles/from-template', body, headers);

describe('templates of agents', () => {
  it('are the three that ship with the product', async () => {
    const { status, body } = await api.call('GET', '/profiles/templates');
    expect(status).toBe(200);
    expect(new Set(body.items?.map((item) => item['template']))).toEqual(new Set(Object.keys(AGENTS)));
    for (const item of body.items ?? []) {
      expect(item['source']).toContain(`id: ${String(item['template'])}`);
      expect(item).toMatchObject({ skills: AGENTS[String(item['template'])]?.skills });
    }
  });

  it.each(Object.entries(AGENTS))('%s becomes a profile with connectors and skills', async (template, expected) => {
    const made = await create({ template });
    expect(made).toMatchObject({ status: 201, body: { handle: template, owner: 'user', is_active: true } });
    expect(made.headers.get('etag')).toMatch(/^"/);
    expect(String(made.body['system_prompt_additions']).length).toBeGreaterThan(100);
    const path = `/profiles/${String(made.body['id'])}`;
    const bound = await api.call('GET', `${path}/connectors`);
    expect(
      Object.fromEntries((bound.body.items ?? []).map((item) => [item['connector_slug'], item['is_enabled']])),
    ).toEqual(expected.connectors);
    const skills = await api.call('GET', `${path}/skills`);
    expect(skills.body.items?.map((item) => item['playbook_slug'] ?? item['skill_reference'])).toEqual(expected.skills);
  });

  it('take another handle and name; a handle is taken once', async () => {
    const template = 'nonprofit-investigator';
    const handle = `mine-${randomUUID()}`;
    const made = await create({ template, handle, name: 'Mine' });
    expect(made).toMatchObject({ status: 201, body: { handle, name: 'Mine' } });
    const again = await create({ template, handle });
    expect([again.status, again.body.code]).toEqual([409, 'handle_taken']);
    const left = await api.admin.query<{ count: number }>(
      'select count(*)::int as count from agent_profiles where handle = $1',
      [handle],
    );
    expect(left).toEqual([{ count: 1 }]);
  });

  it('make one profile for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { template: 'nonprofit-investigator', handle: `once-${randomUUID()}` };
    const [first, second] = [await create(body, key), await create(body, key)];
    expect([first.status, second.status, second.body['id']]).toEqual([201, 201, first.body['id']]);
  });

  it('that are unknown are said', async () => {
    const { status, body } = await create({ template: 'none' });
    expect([status, body.code]).toEqual([404, 'template_not_found']);
    expect(body['detail']).toContain('GET /profiles/templates');
  });

  it('do not bring back what a person has removed', async () => {
    expect((await api.call('DELETE', '/connectors/congress-gov', undefined, { 'if-match': '*' })).status).toBe(204);
    const made = await create({ template: 'political-finance-tracker', handle: `less-${randomUUID()}` });
    expect([made.status, made.body.code]).toEqual([404, 'connector_not_found']);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('templates of connectors', () => {
  it('are what ships with the product, and begin a connector of one’s own', async () => {
    const { body } = await api.call('GET', '/connectors/templates');
    const template = body.items?.find((item) => item['template'] === 'irs-990-xml');
    expect(template).toMatchObject({ type: 'file_parser', source: expect.stringContaining('id: irs-990-xml') });
    const made = await api.call('POST', '/connectors/from-template', {
      template: 'irs-990-xml',
      id: 'my-filings',
      name: 'My filings: all',
    });
    expect(made).toMatchObject({ status: 201, body: { slug: 'my-filings', name: 'My filings: all', created: true } });
    expect(String(made.body['source']).match(/^ *#.*$/gm)).toEqual(String(template?.['source']).match(/^ *#.*$/gm));
    const schema = await api.call('GET', '/connectors/my-filings/schema');
    const endpoints = schema.body['endpoints'] as { name: string }[];
    expect(endpoints.map(({ name }) => name)).toEqual(template?.['endpoints']);
  });

  it('are named by the path as well; the body then only gives names, or is absent', async () => {
    const byPath = '/connectors/from-template/irs-990-xml';
    const named = await api.call('POST', byPath, { id: 'by-path', name: 'By path' });
    expect(named).toMatchObject({ status: 201, body: { slug: 'by-path', name: 'By path', created: true } });
    expect(await api.call('POST', byPath)).toMatchObject({ status: 201, body: { slug: 'irs-990-xml' } });
    const unknown = await api.call('POST', '/connectors/from-template/none', {});
    expect([unknown.status, unknown.body.code]).toEqual([404, 'template_not_found']);
    const twice = await api.call('POST', byPath, { template: 'fec' });
    expect([twice.status, twice.body.code]).toEqual([400, 'invalid_request']);
  });

  it('that are unknown, and names that do not fit, are said', async () => {
    const unknown = await api.call('POST', '/connectors/from-template', { template: 'none' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'template_not_found']);
    const wrong = await api.call('POST', '/connectors/from-template', { template: 'irs-990-xml', id: 'Not An Id!' });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_connector']);
  });
});

describe('the check of a connector', () => {
  it('names every problem with its place and keeps nothing', async () => {
    const source = 'id: broken\nname: B\ntype: rest_apo\nconnection: {base_url: ftp://x}\nendpoints: {}\n';
    const { status, body } = await api.call('POST', '/connectors/validate', { source });
    expect([status, body['valid']]).toEqual([200, false]);
    expect(body.problems?.[0]).toMatchObject({ line: 3, severity: 'error' });
    expect((await api.call('GET', '/connectors/broken')).status).toBe(404);
  });

  it('of one that is there reads its text again', async () => {
    await api.call('POST', '/connectors/from-template', { template: 'irs-990-xml', id: 'there' });
    expect((await api.call('POST', '/connectors/there/validate')).body).toEqual({ valid: true, problems: [] });
    expect((await api.call('POST', '/connectors/absent/validate')).body.code).toBe('connector_not_found');
  });
});

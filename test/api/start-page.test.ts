import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { productVersion } from '../../infra/embedded/product-version';
import { anonymous } from './people';
import { PREFIX, startApi, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const get = (path: string, accept?: string): Promise<Response> =>
  fetch(`${api.url}${path}`, { headers: accept === undefined ? {} : { accept } });

describe.each(['/', PREFIX])('GET %s', (path) => {
  it('is a page for a browser, whose links lead somewhere without a key', async () => {
    const answer = await get(path, BROWSER);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'");
    const page = await answer.text();
    expect(page).toContain(`<dd>${productVersion()}</dd>`);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, to]) => String(to));
    expect(links).toEqual(['/api/docs', '/api/docs-json', '/health/ready']);
    for (const to of links) expect((await get(to, BROWSER)).status).toBe(200);
  });

  it('names routes that are there', async () => {
    const page = await (await get(path, BROWSER)).text();
    const routes = [...page.matchAll(/(POST) (\/api\/agent-factory)([^<\s]+)/g)].map(([, method, , to]) => [
      method,
      to,
    ]);
    expect(routes).toEqual([
      ['POST', '/auth/login'],
      ['POST', '/api-keys'],
    ]);
    for (const [method = '', to = ''] of routes) {
      expect([400, 401]).toContain((await anonymous(api)(method, to, {})).status);
    }
  });

  it('names the address that it was reached at in its commands', async () => {
    const { host } = new URL(api.url);
    const commands = async (headers: Record<string, string>): Promise<string[]> => {
      const page = await (await fetch(`${api.url}${path}`, { headers: { accept: BROWSER, ...headers } })).text();
      expect(page).not.toContain(':3000');
      return [...page.matchAll(/https?:\/\/[^<\s]+/g)].map(([address]) => address);
    };
    expect(await commands({})).toEqual([`http://${host}${PREFIX}`, `http://${host}${PREFIX}/playbooks`]);
    expect(await commands({ 'x-forwarded-proto': 'https' })).toContain(`https://${host}${PREFIX}/playbooks`);
    expect(await commands({ 'x-forwarded-proto': '$(x)' })).toContain(`http://${host}${PREFIX}/playbooks`);
  });

  it.each([undefined, 'application/json', '*/*'])('is JSON for a program that accepts %s', async (accept) => {
    const answer = await get(path, accept);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toEqual({
      name: 'Agent Factory',
      version: productVersion(),
      api: PREFIX,
      docs: '/api/docs',
      openapi: '/api/docs-json',
      health: '/health/ready',
    });
  });

  it('takes GET alone, and gives nothing else', async () => {
    expect((await fetch(`${api.url}${path}`, { method: 'POST' })).status).toBe(405);
    expect((await get(path, 'image/png')).status).toBe(406);
  });
});

it('the documentation hides the column of links, which no answer has, and lightens labels by night', async () => {
  const page = await (await get('/api/docs', BROWSER)).text();
  expect(page).toContain('.response-col_links{display:none}');
  expect(page).toMatch(/\.dark-mode [^{]*\.examples-select__section-label[^{]*\{color:#e4e6e6\}/);
  const { paths } = (await (await get('/api/docs-json')).json()) as { paths: object };
  expect(JSON.stringify(paths)).not.toContain('"links":');
});

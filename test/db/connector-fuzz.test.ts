import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../core/base/json';
import { authFields } from '../../core/connector/auth-fields';
import { connectorEntry } from '../../core/connector/entry';
import { endpointInputs, endpointOutputs } from '../../core/connector/outputs';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { readConnector } from '../../connectors/definition/read-connector';
import { secretOrigins } from '../../connectors/auth/secret-origins';
import { SourceWait } from '../../connectors/runtime/limits/source-wait';
import { readingTools } from '../../connectors/kinds/tools/reading-tools';
import { testEgress } from '../support/egress';
import { connectorDeps, testContext, callEndpoint, type ConnectorDeps, openedBy } from '../support/connector-deps';
import { chance, definitionOf, inputValue, type Chance } from '../support/connector-fuzz';
import { startHttpSource, type HttpSource } from '../support/http-source';
import { openDirectly, otherDatabase, type OtherDatabase } from './connector-database-fixture';

const DEFINITIONS = Number(process.env['AF_FUZZ_DEFINITIONS'] ?? 2_000);
const FIRST_SEED = Number(process.env['AF_FUZZ_SEED'] ?? 1);
const DOCUMENT = '11111111-1111-4111-8111-111111111111';

const ANSWERS: [type: string, body: string, status?: number][] = [
  [
    'application/json',
    '{"data": [{"a": 1, "id": "x"}], "page": {"next": null}, "links": {}, "items": {"x": []}, "a": {"b": [1]}}',
  ],
  ['application/json', '[]'],
  ['application/json', '{"data": {"search": {"edges": [{"node": {}}], "pageInfo": {"endCursor": "c"}}}}'],
  ['application/json', 'null'],
  ['application/json', '{"__proto__": [1], "data": "x"}'],
  ['text/xml', '<r><row a="1">x</row><row/></r>'],
  [
    'text/xml',
    '<rss><channel><title>t</title><item><title>One</title><pubDate>10 Jan 2020 12:00:00 GMT</pubDate></item></channel></rss>',
  ],
  ['text/csv', 'a,b\n1,2\n'],
  ['text/html', '<table><tr><td>A</td><td><a rel=next href="/a">more</a></td></tr></table><h1>t</h1>'],
  ['text/html', '<a href="http://[fe80::1%25lo]/">x</a><a rel="next" href="http://[">y</a>'],
  ['text/plain', '\u0000\ufffe'],
  ['application/json', '', 204],
  ['text/plain', 'no', 404],
  ['text/plain', 'no', 401],
  ['application/json', '{"errors": [{"message": "no"}]}'],
];

let source: HttpSource;
let other: OtherDatabase;
let random: Chance;
let deps: ConnectorDeps;
beforeAll(async () => {
  source = await startHttpSource((request, response) => answer(request.url, response));
  other = await otherDatabase();
  deps = connectorDeps({
    egress: testEgress({
      allow: [{ host: '127.0.0.1', port: source.port }],
      resolve: (host) =>
        host.startsWith('localhost') ? Promise.resolve(['127.0.0.1']) : Promise.reject(new Error(`no ${host}`)),
    }),
    secrets: { resolve: () => Promise.resolve({ value: random.pick(SECRETS), allowedHosts: ['*'] }) },
    documents: {
      find: () => {
        const text = random.pick(ANSWERS)[1];
        return Promise.resolve({
          name: random.pick(FILES),
          size: text.length,
          read: () => Promise.resolve(Buffer.from(text)),
        });
      },
    },
    database: openedBy(openDirectly),
    readingTools: readingTools({ journal: { query: () => Promise.resolve([]) } as never, timeZone: 'UTC' }),
  });
  SECRETS.push(other.addressOf('reader'));
});
afterAll(async () => {
  await deps.egress.close();
  await source.close();
  await other.close();
});

const FILES = ['x.xml', 'x.csv', 'x.json', 'x.jsonl', 'x.txt', 'x.xlsx', 'x.pdf', 'x.docx', 'x.fec', 'x', '.xml'];
const SECRETS = [
  'user:secret-password',
  'k',
  'ü',
  'a\nb',
  'postgresql://x',
  'postgresql://u:p@[fe80::1%25lo]:5/x',
  'postgresql://u:p@256.256.256.256:5/x',
  'postgresql://u:p@xn--.test/x',
];

function answer(url: string, response: ServerResponse): void {
  if (url === '/robots.txt') return void response.writeHead(404).end();
  const [type, body, status = 200] = random.pick(ANSWERS);
  const link = random.pick([
    undefined,
    undefined,
    '</a>; rel="next"',
    '<http://[>; rel=next',
    '<http://h:99999>; rel="next"',
    '<',
  ]);
  const headers = { 'content-type': type, ...(link === undefined ? {} : { link }) };
  if (random.maybe(0.03))
    return void response.writeHead(302, { location: random.pick(['http://[', '/a', '//h:0/', 'x:y']) }).end();
  response.writeHead(status, headers).end(body);
}

async function callAll(definition: ConnectorDefinition): Promise<void> {
  for (const view of [connectorEntry, authFields, secretOrigins]) view(definition);
  for (const name of Object.keys(definition.endpoints)) {
    endpointOutputs(definition, name);
    const inputs: JsonObject = {};
    for (const { name: input, type, required } of endpointInputs(definition, name)) {
      if (required === true || random.maybe(0.5)) {
        Object.defineProperty(inputs, input, { value: inputValue(random, type), enumerable: true, writable: true });
      }
    }
    if ('documents' in inputs) inputs['documents'] = [DOCUMENT];
    const context = testContext({ timeoutMs: 20_000, signal: AbortSignal.timeout(20_000) });
    try {
      const result = await callEndpoint(deps, { definition, endpoint: name, inputs, context });
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    } catch (error) {
      const isCoded = error instanceof SourceWait || (error instanceof AppError && error.code !== 'internal_error');
      if (!isCoded) throw new Error(`${name} with ${JSON.stringify(inputs)}`, { cause: error });
    }
  }
}

// findings/zone-id.yaml, and its kind: what validation accepts, the runtime can use.
it(`${DEFINITIONS} definitions: each is refused with a place, or its calls end with a result or a code`, async () => {
  let accepted = 0;
  const failures: string[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + DEFINITIONS && failures.length < 20; seed += 1) {
    random = chance(seed);
    const text = definitionOf(random, source);
    try {
      const { definition, problems } = readConnector(text);
      if (definition === undefined) {
        expect(problems.length).toBeGreaterThan(0);
        continue;
      }
      accepted += 1;
      await callAll(definition);
    } catch (error) {
      const { message, cause, stack } = error as Error;
      const why = cause instanceof Error ? cause.stack : stack;
      failures.push(`seed ${seed}: ${message}: ${why?.split('\n').slice(0, 7).join('\n')}\n${text.slice(0, 1_500)}`);
    }
  }
  expect(failures.join('\n\n')).toBe('');
  expect(accepted).toBeGreaterThan(DEFINITIONS / 20);
}, 600_000);

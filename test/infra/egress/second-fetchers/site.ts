import type { Json, JsonObject } from '../../../../core/base/json';
import type { ConnectorDefinition } from '../../../../core/connector/types';
import { guardedAccess } from '../../../../connectors/kinds/database/guarded-access';
import type { Egress } from '../../../../infra/egress/egress';
import { testEgress } from '../../../support/egress';
import { createImportHost } from '../../../../connectors/openapi/import-host';
import { OpenapiImporter } from '../../../../connectors/openapi/openapi-importer';
import { startHttpSource, type HttpSource } from '../../../support/http-source';
import { connectorDeps, testContext, type TestDeps, callEndpoint } from '../../../support/connector-deps';
import type { EndpointResult } from '../../../../connectors/call/connector-call';

/** Whatever is asked below leads elsewhere. */
const MOVED = '/moved';

interface Said {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A source that may be reached, with everything of the product that fetches, behind one guard. */
export interface FetchSite {
  url: string;
  egress: Egress;
  importer: OpenapiImporter;
  /** Sets the source's answer at a path (elsewhere 404) and returns the address. */
  say(path: string, said: Said): string;
  /** An address of the source that redirects there. */
  leading(to: string): string;
  call(definition: object, more?: { inputs?: JsonObject; deps?: TestDeps }): Promise<EndpointResult>;
  close(): Promise<void>;
}

/** One way by which the product comes to fetch an address that somebody else wrote. */
export interface SecondFetcher {
  name: string;
  /** Allowed results, wherever `inside` leads. */
  ends: readonly string[];
  /** `inside`: an address without a path. */
  fetch(site: FetchSite, inside: string): Promise<unknown>;
}

/** `host`: where the source listens. It is let through by name, unless it is public. */
export async function startFetchSite(host: string, isPublic = false): Promise<FetchSite> {
  const answers = new Map<string, Said>();
  const source = await startHttpSource(({ url }, response) => {
    const [path = ''] = url.split('?');
    const said = answers.get(path) ?? (path.startsWith(MOVED) ? answers.get(MOVED) : undefined);
    const { status = 200, headers = {}, body = '' } = said ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  }, host);
  const egress = testEgress({ allow: isPublic ? [] : [{ host, port: source.port }] });
  const say = (path: string, said: Said): string => {
    answers.set(path, said);
    return `${source.url}${path}`;
  };
  return {
    url: source.url,
    egress,
    importer: new OpenapiImporter({ egress, host: createImportHost() }),
    say,
    leading: (to) => say(MOVED, { status: 302, headers: { location: inAscii(to) } }),
    call: (definition, { inputs = {}, deps = {} } = {}) =>
      callEndpoint(
        connectorDeps({ egress, database: guardedAccess(egress, { hot: () => Promise.resolve([]) }), ...deps }),
        { definition: withCommon(definition), endpoint: 'e', inputs, context: testContext() },
      ),
    close: () => closeBoth(egress, source),
  };
}

/** A header carries no other letters. The address stays the same. */
export function inAscii(address: string): string {
  return address.replace(/[^ -~]+/g, encodeURIComponent);
}

function withCommon(definition: object): ConnectorDefinition {
  return { schema: 1, id: 'second', name: 'Second', ...definition } as ConnectorDefinition;
}

async function closeBoth(egress: Egress, source: HttpSource): Promise<void> {
  await egress.close();
  await source.close();
}

interface Failed {
  code?: unknown;
  problems?: { code: string }[];
}

/** Result: the code of the failure, the reason of the first problem of a document, or how far the reading got. */
export async function endOf(work: Promise<unknown>): Promise<string> {
  try {
    const result = (await work) as { stopped_by?: Json } | undefined;
    return typeof result?.stopped_by === 'string' ? `stopped by ${result.stopped_by}` : 'read';
  } catch (error) {
    const { code, problems } = error as Failed;
    return code === 'invalid_openapi' ? String(problems?.[0]?.code) : String(code);
  }
}

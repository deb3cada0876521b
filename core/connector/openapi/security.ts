import type { JsonObject } from '../../base/json';
import { headerFault } from '../http-names';
import type { Documents } from './documents';
import type { ImportReport } from './import-report';
import type { Operation } from './operations';
import type { DocumentNode } from './document-node';
import { wordsOf } from './words';

export interface ImportedSecurity {
  /** Scheme in the spelling of the language; absent = nothing is sent. */
  auth?: JsonObject;
  /** `in name` of every key that any scheme sends: not parameters of their own. */
  credentials: ReadonlySet<string>;
}

interface Scheme {
  name: string;
  node: DocumentNode;
  auth?: JsonObject;
}

interface SecurityReader {
  documents: Documents;
  report: ImportReport;
  /** Slug of the connector: the secret's name begins with it. */
  slug: string;
}

/** One way to prove who asks: the first that the document asks for and connectors can do. */
export function readSecurity(reader: SecurityReader, operations: readonly Operation[]): ImportedSecurity {
  const { documents, report } = reader;
  const root = documents.root();
  const listed =
    documents.child(root, 'securityDefinitions') ??
    documents.child(documents.child(root, 'components') ?? root, 'securitySchemes');
  const schemes = documents.children(listed).map(({ key, node }) => schemeOf(reader, key, node));
  const credentials = new Set(schemes.flatMap(({ node }) => credentialOf(documents, node)));
  const wanted = wantedNames(documents, root, operations);
  const used = wanted.flatMap((name) => schemes.filter((scheme) => scheme.name === name));
  const chosen = used.find(({ auth }) => auth !== undefined);
  for (const scheme of used) {
    if (scheme === chosen) continue;
    const message =
      scheme.auth === undefined
        ? `The security scheme \`${scheme.name}\` cannot be used by connectors.`
        : `The security scheme \`${scheme.name}\` is not used: a connector has one, here \`${chosen?.name ?? ''}\`.`;
    report.warn(scheme.auth === undefined ? 'unsupported_auth' : 'other_auth', message, scheme.node);
  }
  return { credentials, ...(chosen?.auth === undefined ? {} : { auth: chosen.auth }) };
}

/** Names of schemes, those that most operations ask for first. */
function wantedNames(documents: Documents, root: DocumentNode, operations: readonly Operation[]): string[] {
  const common = namesIn(documents, documents.child(root, 'security'));
  const counts = new Map<string, number>();
  for (const { node } of operations) {
    const own = documents.child(node, 'security');
    for (const name of own === undefined ? common : namesIn(documents, own)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
}

function namesIn(documents: Documents, requirements: DocumentNode | undefined): string[] {
  return documents.children(requirements).flatMap(({ node }) => documents.children(node).map(({ key }) => key));
}

/** Kinds in the order in which they are described: OpenAPI 3 and Swagger 2. */
function schemeOf(reader: SecurityReader, name: string, node: DocumentNode): Scheme {
  const auth = authOf(reader, name, node);
  return { name, node, ...(auth === undefined ? {} : { auth }) };
}

function authOf(reader: SecurityReader, name: string, node: DocumentNode): JsonObject | undefined {
  const { documents } = reader;
  const secret = { secret: secretName(reader.slug, name) };
  const kind = (documents.text(node, 'scheme') ?? '').toLowerCase();
  switch (documents.text(node, 'type')) {
    case 'apiKey':
      return keyAuth(documents, node, secret);
    case 'basic':
      return { type: 'basic', secret };
    case 'http':
      return kind === 'bearer' || kind === 'basic' ? { type: BY_SCHEME[kind], secret } : undefined;
    case 'oauth2':
      return oauthOf(reader, node, secret);
    case 'openIdConnect':
      reader.report.warn('token_needed', TOKEN, node);
      return { type: 'bearer_token', secret };
    default:
      return undefined;
  }
}

const BY_SCHEME = { bearer: 'bearer_token', basic: 'basic' } as const;
const TOKEN = 'A person signs in to get the token; store one as the secret, and a new one when it expires.';

function keyAuth(documents: Documents, node: DocumentNode, secret: JsonObject): JsonObject | undefined {
  const place = documents.text(node, 'in');
  const name = documents.text(node, 'name') ?? '';
  if (name === '' || name.length > 100) return undefined;
  if (place === 'header' && headerFault(name) === undefined)
    return { type: 'api_key', in: place, key_param: name, secret };
  return place === 'query' ? { type: 'api_key', in: place, key_param: name, secret } : undefined;
}

function oauthOf({ documents, report }: SecurityReader, node: DocumentNode, secret: JsonObject): JsonObject {
  const flows = documents.child(node, 'flows');
  const credentials = flows === undefined ? undefined : documents.child(flows, 'clientCredentials');
  const flow = credentials ?? (documents.text(node, 'flow') === 'application' ? node : undefined);
  const address = flow === undefined ? undefined : documents.text(flow, 'tokenUrl');
  if (flow === undefined || address === undefined || !/^https?:\/\/[^\s@]+$/i.test(address)) {
    report.warn('token_needed', TOKEN, node);
    return { type: 'bearer_token', secret };
  }
  const scopes = documents.children(documents.child(flow, 'scopes')).map(({ key }) => key);
  const scope = scopes
    .filter((name) => /^[\x21-\x7e]{1,200}$/.test(name))
    .slice(0, 50)
    .join(' ');
  return { type: 'oauth2_client_credentials', token_url: address, ...(scope === '' ? {} : { scope }), secret };
}

function credentialOf(documents: Documents, node: DocumentNode): string[] {
  const place = documents.text(node, 'in') ?? '';
  const name = documents.text(node, 'name') ?? '';
  if (documents.text(node, 'type') !== 'apiKey' || name === '') return [];
  return [`${place} ${place === 'header' ? name.toLowerCase() : name}`];
}

/** Name of the secret that the owner stores. */
function secretName(slug: string, scheme: string): string {
  const name = `${wordsOf(slug, '_')}_${wordsOf(scheme, '_') || 'key'}`.slice(0, 100).replace(/_+$/, '');
  return /^[a-z_]/.test(name) ? name : `_${name}`.slice(0, 100);
}

import { shorten } from '../../base/shorten';
import { ownField, isJsonObject } from '../../base/json';
import { addressFault } from '../http-names';
import type { Documents } from './documents';
import type { ImportReport } from './import-report';
import type { DocumentNode } from './document-node';

/** Reserved for addresses that lead nowhere (RFC 2606): the owner puts the real one there. */
const NO_ADDRESS = 'https://replace-me.invalid';

export interface ServerReader {
  documents: Documents;
  report: ImportReport;
  /** Address of the document; relative addresses are resolved against it. */
  address?: string;
}

/** The address of the API; `chosen` by the caller wins. */
export function baseUrlOf(reader: ServerReader, chosen: string | undefined): string {
  const { documents, report } = reader;
  const root = documents.root();
  if (chosen !== undefined) return chosen.replace(/\/+$/, '');
  const swagger = documents.text(root, 'swagger') !== undefined;
  const found = swagger ? swaggerAddress(reader, root) : serverAddress(reader, root);
  if (found !== undefined) return found;
  const suggestion = 'Give `base_url`, or put the address into `connection.base_url`.';
  report.warn('server_missing', 'The document does not say where the API is.', root, suggestion);
  return NO_ADDRESS;
}

/** The address that an operation or its path has of its own. */
export function ownServer(
  reader: ServerReader,
  operation: { node: DocumentNode; shared: DocumentNode },
): string | undefined {
  return serverAddress(reader, operation.node) ?? serverAddress(reader, operation.shared);
}

function serverAddress(reader: ServerReader, at: DocumentNode): string | undefined {
  const { documents, report } = reader;
  const servers = documents.children(documents.child(at, 'servers'));
  const [first] = servers;
  if (first === undefined) return undefined;
  if (servers.length > 1) {
    const others = servers.slice(1, 6).map(({ node }) => `\`${shorten(documents.text(node, 'url') ?? '', 200)}\``);
    report.warn(
      'other_servers',
      `The first of ${servers.length} addresses is taken; others: ${others.join(', ')}.`,
      at,
    );
  }
  const filled = withVariables(reader, first.node, documents.text(first.node, 'url') ?? '');
  return usable(reader, first.node, absolute(filled, reader.address));
}

/** `{name}` takes its default, else the first value that it may have. */
function withVariables({ documents, report }: ServerReader, server: DocumentNode, url: string): string {
  const variables = documents.child(server, 'variables');
  return url.replace(/\{([^{}]*)\}/g, (_all, name: string) => {
    const variable = variables === undefined ? undefined : documents.child(variables, name);
    const value = variable !== undefined && isJsonObject(variable.value) ? variable.value : {};
    const fallback = ownField(value, 'default');
    const options = ownField(value, 'enum');
    const chosen = fallback ?? (Array.isArray(options) ? options[0] : undefined);
    if (typeof chosen === 'string' || typeof chosen === 'number') return String(chosen);
    const shown = shorten(name);
    report.warn('server_variable', `\`{${shown}}\` in the address has no default; put yours there.`, server);
    return shown.replace(/[^A-Za-z0-9-]+/g, '-');
  });
}

function swaggerAddress(reader: ServerReader, root: DocumentNode): string | undefined {
  const { documents } = reader;
  const own = /^(https?):\/\/([^/?#]+)/i.exec(reader.address ?? '');
  const host = documents.text(root, 'host') ?? own?.[2];
  if (host === undefined) return undefined;
  const schemes = documents.child(root, 'schemes')?.value;
  const offered = Array.isArray(schemes) ? schemes : [own?.[1]?.toLowerCase() ?? 'https'];
  const scheme = offered.includes('https') || !offered.includes('http') ? 'https' : 'http';
  return usable(reader, root, `${scheme}://${host}${documents.text(root, 'basePath') ?? ''}`);
}

function absolute(url: string, address: string | undefined): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || address === undefined) return url;
  const [, scheme = 'https', host = '', path = ''] = /^(https?):\/\/([^/?#]+)([^?#]*)/i.exec(address) ?? [];
  if (url.startsWith('//')) return `${scheme}:${url}`;
  if (url.startsWith('/')) return `${scheme}://${host}${url}`;
  return `${scheme}://${host}${path.replace(/[^/]*$/, '') || '/'}${url}`;
}

function usable({ report }: ServerReader, node: DocumentNode, url: string): string | undefined {
  const bare = (url.split(/[?#]/, 1)[0] ?? '').replace(/\/+$/, '');
  const fault = addressFault(bare);
  if (fault === undefined) return bare;
  // `/` means "where this document lies", which is known only for a document with an address.
  if (bare !== '') report.warn('invalid_address', `The address \`${shorten(bare, 200)}\` ${fault}.`, node);
  return undefined;
}

import { parse } from 'csv-parse/sync';
import { parseFeed as parseWithFeedsmith } from 'feedsmith';
import { evaluateXPathToNodes, evaluateXPathToString } from 'fontoxpath';
import { parseXmlDocument, type Node } from 'slimdom';
import type { JsonObject } from '../../core/base/json';
import type { FileEndpoint, FileField, ValueType } from '../../core/connector/types';
import { parseFeed } from '../../connectors/kinds/feeds/parse-feed';
import { parseFile } from '../../connectors/formats/parse-file';
import { csvDocument, feedDocument, jsonDocument, xmlDocument } from './documents';

/** A document, and two ways to read it: by the product and by the same library without it. Both find the same records. */
export interface Format {
  name: string;
  bytes: Buffer;
  product(bytes: Buffer): Promise<JsonObject[]> | JsonObject[];
  library(bytes: Buffer): JsonObject[];
}

const DEFAULTS = { groups: {}, delimiter: ',', encoding: 'auto', header: true };

const field = (name: string, path: string, type: ValueType = 'string'): FileField => ({
  field: name,
  paths: [path],
  type,
});

async function read(endpoint: Pick<FileEndpoint, 'parser' | 'fields' | 'list_element'>, bytes: Buffer) {
  return (await parseFile({ ...DEFAULTS, ...endpoint }, bytes)).records;
}

function textOf(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

const XML_FIELDS = [
  field('id', '@id'),
  field('name', 'Recipient/Name/Line1'),
  field('ein', 'Recipient/EIN'),
  field('state', 'Address/State'),
  field('amount', 'Amount', 'number'),
  field('purpose', 'Purpose'),
];

function xmlByLibrary(bytes: Buffer): JsonObject[] {
  const options = { namespaceResolver: (): string => 'urn:example:filing' };
  const document = parseXmlDocument(textOf(bytes));
  const text = (path: string, node: Node): string => evaluateXPathToString(path, node, null, {}, options);
  const grants = evaluateXPathToNodes<Node>('Return/Data/Grant', document, null, {}, options);
  return grants.map((grant) => ({
    id: text('@id', grant),
    name: text('Recipient/Name/Line1', grant),
    ein: text('Recipient/EIN', grant),
    state: text('Address/State', grant),
    amount: Number(text('Amount', grant)),
    purpose: text('Purpose', grant),
  }));
}

const CSV_FIELDS = [
  field('id', 'id', 'integer'),
  field('payee', 'payee'),
  field('ein', 'payee_ein'),
  field('amount', 'amount', 'number'),
  field('date', 'date', 'date'),
  field('purpose', 'purpose'),
];

function csvByLibrary(bytes: Buffer): JsonObject[] {
  const [head = [], ...rows] = parse(textOf(bytes), { bom: true, skip_empty_lines: true });
  const at = (name: string): number => head.indexOf(name);
  const [id, payee, ein, amount, date, purpose] = ['id', 'payee', 'payee_ein', 'amount', 'date', 'purpose'].map(at);
  return rows.map((row) => ({
    id: Number(row[id ?? -1]),
    payee: row[payee ?? -1] ?? null,
    ein: row[ein ?? -1] ?? null,
    amount: Number(row[amount ?? -1]),
    date: row[date ?? -1] ?? null,
    purpose: row[purpose ?? -1] ?? null,
  }));
}

const JSON_FIELDS = [
  field('id', 'id'),
  field('name', 'recipient.name'),
  field('ein', 'recipient.ein'),
  field('city', 'recipient.address.city'),
  field('amount', 'award.amount', 'number'),
  field('purpose', 'award.purpose'),
];

interface Award {
  id: string;
  recipient: { name: string; ein: string; address: { city: string } };
  award: { amount: number; purpose: string };
}

function jsonByLibrary(bytes: Buffer): JsonObject[] {
  const { results } = JSON.parse(textOf(bytes)) as { results: Award[] };
  return results.map(({ id, recipient, award }) => ({
    id,
    name: recipient.name,
    ein: recipient.ein,
    city: recipient.address.city,
    amount: award.amount,
    purpose: award.purpose,
  }));
}

interface RssItem {
  title?: string;
  link?: string;
  guid?: { value?: string };
  pubDate?: string;
  categories?: { name?: string }[];
  description?: string;
  dc?: { creators?: string[] };
}

function feedByLibrary(bytes: Buffer): JsonObject[] {
  const { feed } = parseWithFeedsmith(textOf(bytes));
  return ((feed as { items?: RssItem[] }).items ?? []).map((item) => ({
    title: item.title ?? null,
    description: item.description ?? null,
    summary: summaryOf(item.description ?? ''),
    pubDate: new Date(item.pubDate ?? '').toISOString().replace('.000Z', 'Z'),
    link: item.link ?? null,
    category: item.categories?.[0]?.name ?? null,
    author: item.dc?.creators?.[0] ?? null,
    enclosure: null,
    guid: item.guid?.value ?? '',
  }));
}

function summaryOf(html: string): string {
  const text = html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length <= 1_000 ? text : `${text.slice(0, 999).trimEnd()}…`;
}

export const FORMATS: readonly Format[] = [
  {
    name: 'XML',
    bytes: xmlDocument(),
    product: (bytes) => read({ parser: 'xml', list_element: ['Return/Data/Grant'], fields: XML_FIELDS }, bytes),
    library: xmlByLibrary,
  },
  {
    name: 'CSV',
    bytes: csvDocument(),
    product: (bytes) => read({ parser: 'csv', fields: CSV_FIELDS }, bytes),
    library: csvByLibrary,
  },
  {
    name: 'JSON',
    bytes: jsonDocument(),
    product: (bytes) => read({ parser: 'json', list_element: ['results'], fields: JSON_FIELDS }, bytes),
    library: jsonByLibrary,
  },
  {
    name: 'feed',
    bytes: feedDocument(),
    product: (bytes) => parseFeed({ bytes, contentType: '', url: 'https://www.example.org/feed' }).items,
    library: feedByLibrary,
  },
];

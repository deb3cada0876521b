import { externalFiles } from '../../core/connector/openapi/external-refs';
import type { LinkedDocument } from '../../core/connector/openapi/documents';
import type { ReadDocument } from '../../core/connector/openapi/read-document';
import { readDocument } from '../../core/connector/openapi/read-document';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import type { Egress } from '../egress/egress';
import { fetchText } from './fetch-text';

const MAX_DOCUMENTS = 20;
/** All documents of one import together. */
const MAX_TOTAL_CHARS = 8_000_000;

export interface LoadedDocuments {
  documents: Map<string, LinkedDocument>;
  /** Documents that could not be had: the import goes on without them, unless one says `error`. */
  problems: Problem[];
}

export interface RootDocument {
  read: ReadDocument;
  length: number;
  /** Where it came from; without it relative references lead nowhere. */
  address?: string;
}

/**
 * Loads what a document refers to, and what that refers to. Every address goes through the guard of the platform;
 * files of this machine are never read.
 */
export async function loadDocuments(egress: Egress, root: RootDocument, signal: AbortSignal): Promise<LoadedDocuments> {
  const loader = new Loader(egress, signal, root.length);
  if (root.address !== undefined) loader.known.set(withoutFragment(root.address), '');
  loader.queue.push({ key: '', base: root.address, document: root.read });
  for (let next = loader.queue.shift(); next !== undefined; next = loader.queue.shift()) await loader.link(next);
  return { documents: loader.documents, problems: loader.problems };
}

interface Waiting {
  key: string;
  base: string | undefined;
  document: ReadDocument;
}

class Loader {
  readonly documents = new Map<string, LinkedDocument>();
  readonly problems: Problem[] = [];
  readonly queue: Waiting[] = [];
  /** Addresses as they are written → keys under which they were loaded. */
  readonly known = new Map<string, string>();
  private readonly failed = new Set<string>();

  constructor(
    private readonly egress: Egress,
    private readonly signal: AbortSignal,
    private chars: number,
  ) {}

  async link({ key, base, document }: Waiting): Promise<void> {
    const links = new Map<string, string>();
    this.documents.set(key, { json: document.json, links });
    for (const file of externalFiles(document.json)) {
      const found = await this.load(file, base);
      if (found !== undefined) links.set(file, found);
    }
  }

  private async load(file: string, base: string | undefined): Promise<string | undefined> {
    const shown = file.slice(0, 200);
    if (!URL.canParse(file, base)) {
      const message = `\`${shown}\` is another file. Give one document that holds everything, or its address.`;
      this.say('warning', 'reference_without_base', message);
      return undefined;
    }
    const address = withoutFragment(new URL(file, base).href);
    const known = this.known.get(address);
    if (known !== undefined || this.failed.has(address)) return known;
    if (this.known.size >= MAX_DOCUMENTS) {
      this.say('warning', 'too_many_documents', `More than ${MAX_DOCUMENTS} documents refer to each other.`);
      return undefined;
    }
    try {
      return await this.fetch(address);
    } catch (error) {
      this.failed.add(address);
      this.signal.throwIfAborted();
      this.refuse(shown, error);
      return undefined;
    }
  }

  private async fetch(address: string): Promise<string | undefined> {
    const { text, url } = await fetchText(this.egress, address, this.signal);
    this.chars += text.length;
    const read = this.chars > MAX_TOTAL_CHARS ? { problems: [TOO_LARGE] } : readDocument(text);
    if ('problems' in read) {
      this.failed.add(address);
      const [first] = read.problems;
      const place = first?.line === undefined ? '' : ` (line ${first.line})`;
      const message = `\`${address.slice(0, 200)}\` cannot be read${place}: ${first?.message ?? 'it is empty'}`;
      this.say('warning', first?.code ?? 'invalid_document', message);
      return undefined;
    }
    this.known.set(address, address);
    this.queue.push({ key: address, base: url, document: read.document });
    return address;
  }

  /** What is refused on purpose ends the import; what merely failed leaves a gap that is named. */
  private refuse(shown: string, error: unknown): void {
    if (!(error instanceof AppError)) throw error;
    const severity = error.category === 'forbidden' || error.category === 'validation' ? 'error' : 'warning';
    this.say(severity, error.code, `\`${shown}\` is not fetched: ${error.message}`);
  }

  private say(severity: Problem['severity'], code: string, message: string): void {
    if (this.problems.length < 50) this.problems.push({ severity, code, message, field: '$ref' });
  }
}

const TOO_LARGE: Problem = {
  severity: 'error',
  code: 'text_too_large',
  message: `All documents together are longer than ${MAX_TOTAL_CHARS} characters.`,
};

function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, '');
}

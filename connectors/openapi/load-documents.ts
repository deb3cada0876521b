import { shorten } from '../../core/base/shorten';
import type { Problem } from '../../core/errors/problem';
import { AppError } from '../../core/errors/app-error';
import type { Egress } from '../../infra/egress/egress';
import { fetchText } from './fetch-text';
import type { ImportHost } from './import-host';
import type { LoadedText } from './import-work';

const MAX_DOCUMENTS = 20;
/** All documents of one import together. */
const MAX_TOTAL_CHARS = 8_000_000;

export interface LoadedDocuments {
  /** The given one first. */
  texts: LoadedText[];
  /** Documents that could not be had: the import goes on without them, unless one says `error`. */
  problems: Problem[];
}

export interface RootDocument {
  text: string;
  /** Address of the document; without it relative references cannot be resolved. */
  address?: string;
}

export interface LoadDeps {
  egress: Egress;
  host: ImportHost;
}

/**
 * Loads what a document refers to, and what that refers to. Every address goes through the guard of the platform;
 * files of this machine are never read. Throws `invalid_openapi` when the document itself cannot be read.
 */
export async function loadDocuments(deps: LoadDeps, root: RootDocument, signal: AbortSignal): Promise<LoadedDocuments> {
  const read = await deps.host.filesOf(root.text, signal);
  if ('problems' in read) throw invalidOpenapi(read.problems);
  const loader = new Loader(deps, signal, root.text.length);
  if (root.address !== undefined) loader.known.set(withoutFragment(root.address), '');
  loader.queue.push({ key: '', base: root.address, text: root.text, files: read.files });
  for (let next = loader.queue.shift(); next !== undefined; next = loader.queue.shift()) await loader.link(next);
  return { texts: loader.texts, problems: loader.problems };
}

export function invalidOpenapi(problems: Problem[]): AppError {
  return new AppError('invalid_openapi', 'The document cannot be imported; each problem says where and why.', {
    category: 'validation',
    problems,
  });
}

interface Waiting {
  key: string;
  base: string | undefined;
  text: string;
  files: string[];
}

class Loader {
  readonly texts: LoadedText[] = [];
  readonly problems: Problem[] = [];
  readonly queue: Waiting[] = [];
  /** Addresses as they are written → keys under which they were loaded. */
  readonly known = new Map<string, string>();
  private readonly failed = new Set<string>();

  constructor(
    private readonly deps: LoadDeps,
    private readonly signal: AbortSignal,
    private chars: number,
  ) {}

  async link({ key, base, text, files }: Waiting): Promise<void> {
    const links: [string, string][] = [];
    this.texts.push({ key, text, links });
    for (const file of files) {
      const found = await this.load(file, base);
      if (found !== undefined) links.push([file, found]);
    }
  }

  private async load(file: string, base: string | undefined): Promise<string | undefined> {
    const shown = shorten(file, 200);
    if (!URL.canParse(file, base)) {
      const message = `\`${shown}\` is another file. Give one document that holds everything, or its address.`;
      this.say('warning', 'reference_without_base', message);
      return undefined;
    }
    const address = withoutFragment(new URL(file, base).href);
    const known = this.known.get(address);
    if (known !== undefined || this.failed.has(address)) return known;
    if (this.known.size + this.failed.size >= MAX_DOCUMENTS) {
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
    const { text, url } = await fetchText(this.deps.egress, address, this.signal);
    this.chars += text.length;
    const read =
      this.chars > MAX_TOTAL_CHARS ? { problems: [TOO_LARGE] } : await this.deps.host.filesOf(text, this.signal);
    if ('problems' in read) {
      this.failed.add(address);
      const [first] = read.problems;
      const place = first?.line === undefined ? '' : ` (line ${first.line})`;
      const message = `\`${shorten(address, 200)}\` cannot be read${place}: ${first?.message ?? 'it is empty'}`;
      this.say('warning', first?.code ?? 'invalid_document', message);
      return undefined;
    }
    this.known.set(address, address);
    this.queue.push({ key: address, base: url, text, files: read.files });
    return address;
  }

  /** Ends the import for a deliberate refusal; a mere failure leaves a gap that is reported. */
  private refuse(shown: string, error: unknown): void {
    if (!(error instanceof AppError)) throw error;
    const severity = error.category === 'forbidden' || error.category === 'validation' ? 'error' : 'warning';
    this.say(severity, error.code, `\`${shown}\` is not fetched: ${error.message}`);
  }

  private say(severity: Problem['severity'], code: string, message: string): void {
    const said = this.problems.some((problem) => problem.message === message);
    if (!said && this.problems.length < 50) this.problems.push({ severity, code, message, field: '$ref' });
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

import { compose } from './compose';
import { convert } from './convert';
import { MAX_BYTES } from './limits';
import { Lines } from './lines';
import { ProblemList } from './problem-list';
import { SourceDocument } from './source-document';
import { tokenize } from './tokens';

export interface SourceResult {
  document?: SourceDocument;
  /** Problems so far; later stages add theirs. */
  problems: ProblemList;
}

/** A line end of its own in YAML, which the library does not know; the text keeps its length. */
const LONE_RETURN = /\r(?!\n)/g;

/** Reads a YAML or JSON text. Never throws: without a document there is at least one error. */
export function readSource(source: string): SourceResult {
  if (longerThan(source, MAX_BYTES)) return tooLarge();
  const text = source.includes('\r') ? source.replace(LONE_RETURN, '\n') : source;
  const lines = new Lines(text);
  const problems = new ProblemList((offset) => lines.position(offset));
  const result = tokenize(text);
  if (!result.ok) {
    problems.add(result.finding);
    return { problems };
  }
  const parsed = compose(result.tokens, text, problems);
  if (parsed === undefined) return { problems };
  const root = convert(parsed.contents, text, problems);
  if (root === undefined) return { problems };
  return { document: new SourceDocument(text, root, lines), problems };
}

function tooLarge(): SourceResult {
  const problems = new ProblemList(() => ({ line: 1, column: 1 }));
  problems.add({
    code: 'text_too_large',
    message: `The text is larger than ${MAX_BYTES} bytes.`,
    suggestion: 'Move data into an input or a connector, and split the work into several playbooks.',
    at: 0,
  });
  return { problems };
}

/** UTF-8 bytes, without encoding: a surrogate pair counts 2 + 2. */
function longerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return bytes > limit;
}

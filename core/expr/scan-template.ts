import { type Cursor, isDigit, isNameStart } from './cursor';
import { MAX_LENGTH } from './limits';
import { refused, type Scan, shown } from './scan';
import { scanReference } from './scan-reference';
import type { ExprProblem, ParseResult, Reference, Template } from './types';

const OPEN = 123;
const CLOSE = 125;
const LITERAL_HINT = 'For a literal brace write {{.';

/** Parses one string of a playbook: the cursor's text. */
export function scanTemplate(cursor: Cursor): ParseResult<Template> {
  const { text } = cursor;
  // Plain data of any length stays plain: without an opening brace there is nothing to parse.
  if (!text.includes('{')) return { ok: true, value: { kind: 'literal', text } };
  if (text.length > MAX_LENGTH) {
    return refused(
      MAX_LENGTH,
      `A text with references has at most ${MAX_LENGTH} characters.`,
      'Move long data into an input.',
    );
  }
  return new TemplateScanner(cursor).scan();
}

/**
 * `{` starts a reference where one can start, otherwise it is text, so that JSON in prompts survives.
 * Braces are paired: `}}` means `}` only where it closes a `{{`, so `{"a":{"b":1}}` keeps both of its own.
 */
class TemplateScanner {
  private readonly parts: (string | Reference)[] = [];
  private buffer: string[] = [];
  /** Open literal braces: true = written `{{`. */
  private readonly open: boolean[] = [];

  constructor(private readonly cursor: Cursor) {}

  scan(): ParseResult<Template> {
    while (!this.cursor.done) {
      this.buffer.push(this.cursor.takeWhile((unit) => unit !== OPEN && unit !== CLOSE));
      if (this.cursor.peek() === OPEN) {
        const problem = this.openBrace();
        if (problem) return { ok: false, problem };
      } else if (this.cursor.peek() === CLOSE) {
        this.closeBrace();
      }
    }
    this.flush();
    return { ok: true, value: shape(this.parts) };
  }

  private openBrace(): ExprProblem | undefined {
    if (this.cursor.peek(1) === OPEN) {
      this.literal('{', 2);
      this.open.push(true);
      return undefined;
    }
    if (!this.startsReference()) {
      this.literal('{', 1);
      this.open.push(false);
      return undefined;
    }
    this.cursor.advance();
    const reference = this.reference();
    if (!reference.ok) return reference.problem;
    this.flush();
    this.parts.push(reference.value);
    return undefined;
  }

  private closeBrace(): void {
    const doubled = this.open.at(-1) === true && this.cursor.peek(1) === CLOSE;
    if (doubled || this.open.at(-1) === false) this.open.pop();
    this.literal('}', doubled ? 2 : 1);
  }

  private literal(text: string, length: number): void {
    this.buffer.push(text);
    this.cursor.advance(length);
  }

  /** A letter, `_`, or the digits of `N_days_ago`; `{4}` and `{2,3}` of a regular expression are text. */
  private startsReference(): boolean {
    if (isNameStart(this.cursor.peek(1))) return true;
    let ahead = 1;
    while (isDigit(this.cursor.peek(ahead))) ahead++;
    this.cursor.steps += ahead;
    return ahead > 1 && this.cursor.peek(ahead) === 95;
  }

  private reference(): Scan<Reference> {
    const reference = scanReference(this.cursor);
    if (!reference.ok) {
      const { offset, message, suggestion } = reference.problem;
      return refused(offset, message, suggestion === undefined ? LITERAL_HINT : `${suggestion} ${LITERAL_HINT}`);
    }
    if (this.cursor.peek() !== CLOSE) {
      const message = `A reference goes on with . or [ or ends with }, but here is ${shown(this.cursor)}.`;
      return refused(this.cursor.position, message, LITERAL_HINT);
    }
    this.cursor.advance();
    return reference;
  }

  private flush(): void {
    const text = this.buffer.join('');
    if (text !== '') this.parts.push(text);
    this.buffer = [];
  }
}

function shape(parts: (string | Reference)[]): Template {
  const [first] = parts;
  if (first === undefined) return { kind: 'literal', text: '' };
  if (parts.length > 1) return { kind: 'text', parts };
  return typeof first === 'string' ? { kind: 'literal', text: first } : { kind: 'whole', ref: first };
}

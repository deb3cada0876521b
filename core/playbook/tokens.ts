import { CST, Lexer, Parser } from 'yaml';
import { shorten } from '../base/shorten';
import { MAX_ALIASES, MAX_LEXEMES, MAX_NESTING } from './limits';
import type { Finding } from './problem-list';

type TokenResult = { ok: true; tokens: CST.Token[] } | { ok: false; finding: Finding };

/** Tags that say nothing new; any other could mean code or a type that JSON has not. */
const PLAIN_TAGS: ReadonlySet<string> = new Set(['!!str', '!!int', '!!float', '!!bool', '!!null', '!!map', '!!seq']);

/**
 * Cuts a text into YAML tokens and stops at the first thing that could cost too much time or that the playbook
 * language does not have: depth, number of elements, aliases, tags, directives, a second document.
 */
export function tokenize(text: string): TokenResult {
  const guard = new Guard();
  const lexemes: string[] = [];
  // Lexing alone first: the parser costs several times as much.
  for (const lexeme of new Lexer().lex(text)) {
    const finding = guard.check(lexeme);
    if (finding) return { ok: false, finding: { ...finding, at: guard.offset } };
    lexemes.push(lexeme);
  }
  return parse(lexemes);
}

function parse(lexemes: readonly string[]): TokenResult {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of lexemes) {
    // Two more than the collections: the document, and the scalar that is being read.
    if (parser.stack.length > MAX_NESTING + 2) return { ok: false, finding: { ...TOO_DEEP, at: parser.offset } };
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  for (const token of parser.end()) tokens.push(token);
  return { ok: true, tokens };
}

class Guard {
  /** Offset of the lexeme that was checked last. */
  offset = 0;
  private next = 0;
  private lexemes = 0;
  private aliases = 0;
  private documents = 0;
  /** Brackets that are open. */
  private open = 0;
  /** The next lexeme is the text of a scalar, whatever it looks like. */
  private inScalar = false;

  check(lexeme: string): Finding | undefined {
    this.offset = this.next;
    if (!MARKS.includes(lexeme)) this.next += lexeme.length;
    this.lexemes += 1;
    if (this.lexemes > MAX_LEXEMES) return TOO_COMPLEX;
    if (this.inScalar) {
      this.inScalar = false;
      return undefined;
    }
    return this.checkKind(CST.tokenType(lexeme), lexeme);
  }

  private checkKind(kind: ReturnType<typeof CST.tokenType>, lexeme: string): Finding | undefined {
    switch (kind) {
      case 'scalar':
        this.inScalar = true;
        return undefined;
      case 'flow-map-start':
      case 'flow-seq-start':
        this.open += 1;
        return this.open > MAX_NESTING ? TOO_DEEP : undefined;
      case 'flow-map-end':
      case 'flow-seq-end':
        this.open = Math.max(0, this.open - 1);
        return undefined;
      case 'alias':
        this.aliases += 1;
        return this.aliases > MAX_ALIASES ? TOO_MANY_ALIASES : undefined;
      case 'tag':
        return PLAIN_TAGS.has(lexeme) ? undefined : tagFinding(lexeme);
      case 'directive-line':
        return DIRECTIVE;
      case 'doc-start':
        this.documents += 1;
        return this.documents > 1 ? SECOND_DOCUMENT : undefined;
      case 'double-quoted-scalar':
        return hasBadEscape(lexeme) ? BAD_ESCAPE : unclosed(lexeme, /(?<!\\)(?:\\\\)*\\"$/);
      case 'single-quoted-scalar':
        return unclosed(lexeme, /^'(?:[^']|'')*$/);
      default:
        return undefined;
    }
  }
}

function hasBadEscape(lexeme: string): boolean {
  for (let at = lexeme.indexOf('\\'); at >= 0; at = lexeme.indexOf('\\', at + 2)) {
    if (!ESCAPES.includes(lexeme[at + 1] ?? ' ')) return true;
  }
  return false;
}

/** A quote inside the text that is the last character of all: the library takes it for the end of the text. */
function unclosed(lexeme: string, open: RegExp): Finding | undefined {
  const mark = lexeme.charAt(0);
  if (!lexeme.endsWith(mark) || lexeme.length < 2 || !open.test(lexeme)) return undefined;
  const inside = mark === '"' ? '\\"' : "''";
  return {
    code: 'invalid_yaml',
    message: `The text in ${mark === '"' ? 'double' : 'single'} quotes that begins here has no closing quote.`,
    suggestion: `Write ${mark} where the text ends. A quote inside it is written ${inside}.`,
  };
}

/** Lexemes that stand for no text: document, end of a broken flow, scalar. */
const MARKS: readonly string[] = ['\u0002', '\u0018', '\u001f'];
const ESCAPES = '0abefnrtvNLP_xuU \t"/\\\n\r';

const TOO_COMPLEX: Finding = {
  code: 'text_too_complex',
  message: `The text has more than ${MAX_LEXEMES} elements; a playbook of 1,000 steps stays far below.`,
  suggestion: 'Move data into an input or a connector, and split the work into several playbooks.',
};
const TOO_DEEP: Finding = {
  code: 'too_deep',
  message: `More than ${MAX_NESTING} lists and mappings lie inside each other here.`,
  suggestion: 'Move inner steps into a playbook of their own and call it with run_playbook.',
};
const TOO_MANY_ALIASES: Finding = {
  code: 'too_many_aliases',
  message: `More than ${MAX_ALIASES} aliases (*name) are used.`,
  suggestion: 'Write the values out.',
};
const DIRECTIVE: Finding = {
  code: 'directive_not_allowed',
  message: 'Directives (lines that begin with %) are not part of the playbook language.',
  suggestion: 'Remove the line.',
};
const SECOND_DOCUMENT: Finding = {
  code: 'multiple_documents',
  message: 'A second document begins here (---); a text holds one playbook.',
  suggestion: 'Save each playbook on its own.',
};
const BAD_ESCAPE: Finding = {
  code: 'invalid_yaml',
  message: 'This text in double quotes has an escape that does not exist.',
  suggestion: 'Write \\\\ for a backslash, or use single quotes, where a backslash is plain text.',
};

function tagFinding(lexeme: string): Finding {
  const shown = shorten(lexeme);
  return {
    code: 'tag_not_allowed',
    message: `The tag ${shown} is not allowed: values are text, numbers, true, false, null, lists and mappings.`,
    suggestion: 'Remove the tag.',
  };
}

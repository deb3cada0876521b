import { Composer, type CST, type Document, type YAMLError } from 'yaml';
import { shorten } from '../base/shorten';
import { lineFault } from './line-fault';
import type { ProblemList } from './problem-list';
import { quotedFault } from './quoted-fault';
import { sentence } from '../base/sentence';

/** YAML 1.2, no merge keys; duplicate keys are found later in linear time (the library's check is quadratic). */
const OPTIONS = { version: '1.2', merge: false, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
const MAX_SYNTAX_ERRORS = 20;

/** Builds the document of a token list; undefined when the text is no valid YAML. */
export function compose(tokens: CST.Token[], text: string, problems: ProblemList): Document.Parsed | undefined {
  const documents = [...new Composer(OPTIONS).compose(tokens, true, text.length)];
  const [document, second] = documents;
  if (document === undefined) return undefined;
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0 && addQuoted(faults, { text, tokens, problems })) return undefined;
  if (second !== undefined) {
    problems.add({ code: 'multiple_documents', message: 'A text holds one playbook.', at: second.range[0] });
    return undefined;
  }
  for (const fault of firstOfEachLine(faults, problems)) {
    const known = lineFault(fault, text);
    problems.add(
      known?.finding ?? {
        code: 'invalid_yaml',
        message: firstLine(fault.message),
        at: fault.pos[0],
        suggestion: hint(fault),
      },
    );
    if (known?.all === true) break;
  }
  return document.errors.length + document.warnings.length > 0 ? undefined : document;
}

interface Reading {
  text: string;
  tokens: CST.Token[];
  problems: ProblemList;
}

/** Faults of texts in quotes, in words of their own. True: nothing else is worth saying. */
function addQuoted(faults: YAMLError[], { text, tokens, problems }: Reading): boolean {
  const use = { text, tokens, lineOf: (offset: number) => problems.position(offset).line };
  for (const fault of firstOfEachLine(faults, problems)) {
    const quoted = quotedFault(fault, use);
    if (quoted === undefined) continue;
    problems.add(quoted.finding);
    faults.splice(faults.indexOf(fault), 1);
    if (quoted.all) return true;
  }
  return false;
}

/** One fault makes the parser stumble over the rest of its line; only the first helps. */
function firstOfEachLine<T extends { pos: [number, number] }>(faults: readonly T[], problems: ProblemList): T[] {
  const lines = new Set<number>();
  return faults
    .filter((fault) => {
      const { line } = problems.position(fault.pos[0]);
      return !lines.has(line) && lines.add(line);
    })
    .slice(0, MAX_SYNTAX_ERRORS);
}

function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return sentence(shorten(line, 200));
}

function hint({ code, message }: { code: string; message: string }): string {
  // The fault's place is behind the open bracket; the library reports it as an indent, too.
  if (/end with a [\]}]/.test(message)) return 'Close the bracket that was opened above, and indent the lines in it.';
  switch (code) {
    case 'BAD_INDENT':
      return 'Give all lines of one list or mapping the same indentation.';
    default:
      return 'Put a value that begins with { or [, or contains ": " or " #", into quotes.';
  }
}

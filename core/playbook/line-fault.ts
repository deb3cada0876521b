import { shorten } from '../base/shorten';
import type { Finding } from './problem-list';

interface Fault {
  code: string;
  message: string;
  pos: [number, number];
}

export interface LineFault {
  finding: Finding;
  /** True when the later faults of the document are consequences of this one. */
  all: boolean;
}

interface Line {
  /** Line number, from 1. */
  no: number;
  /** Offset at which it begins. */
  at: number;
  text: string;
}

/**
 * Fault of a line, in words that name the repair: the YAML library names the place where it failed, which is seldom the
 * place to change. Undefined = the library's own message is the best one.
 */
export function lineFault(fault: Fault, text: string): LineFault | undefined {
  const line = lineAt(text, fault.pos[0]);
  for (const rule of RULES) {
    const found = rule({ fault, text, line });
    if (found === undefined) continue;
    const { at = line.at + indentOf(line.text), all = false, ...finding } = found;
    return { finding: { code: 'invalid_yaml', ...finding, at }, all };
  }
  return undefined;
}

interface Place {
  fault: Fault;
  text: string;
  line: Line;
}
type Found = { message: string; suggestion: string; at?: number; all?: boolean };
type Rule = (place: Place) => Found | undefined;

/** Blanks that are none for YAML: no-break, ideographic, zero-width ones come with what is copied from pages and mails. */
const STRANGE_BLANK = /^([ \t]*)([\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff])/m;
const STRANGE_QUOTES = /^\s*(?:- +)*(?:[\w.-]+: +)?([\u201c-\u201f\u2018-\u201b\u00ab\u2039])/;
const WIDE_COLON = /^\s*(?:- +)*[\w.-]+\s*([\uff1a\ufe55\u2236])/;
const NO_BLANK = /^\s*(?:- +)*([A-Za-z_][\w.-]*):([^\s:/].*)$/;
const REFERENCE_FIRST = /^(\s*(?:- +)*(?:[\w.-]+: +)?)(\{[\w.[\]*-]+\}[^"'#]*?[^\s"'#,}\]].*)$/;
const FIELD = /^\s*(?:- +)*[\w.-]+:(?:\s|$)/;

const strangeBlank: Rule = ({ text }) => {
  const found = STRANGE_BLANK.exec(text);
  const [, before = '', blank = ''] = found ?? [];
  if (found === null) return undefined;
  const code = blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    message: `This line begins with a character that looks like a blank but is none in YAML (U+${code}).`,
    suggestion: 'Indent with plain spaces.',
    at: found.index + before.length,
    all: true,
  };
};

const tab: Rule = ({ fault }) =>
  fault.code === 'TAB_AS_INDENT'
    ? {
        message: 'Tabs are not allowed as indentation.',
        suggestion: 'Indent with spaces.',
        at: fault.pos[0],
        all: true,
      }
    : undefined;

const strangeQuotes: Rule = ({ line }) => {
  const mark = STRANGE_QUOTES.exec(line.text)?.[1];
  if (mark === undefined) return undefined;
  return {
    message: `${mark} is no quotation mark in YAML.`,
    suggestion: 'Put the text between plain ones: "…".',
    at: line.at + line.text.indexOf(mark),
  };
};

const wideColon: Rule = ({ line }) => {
  const mark = WIDE_COLON.exec(line.text)?.[1];
  if (mark === undefined) return undefined;
  return {
    message: `${mark} is no colon in YAML.`,
    suggestion: 'Write : and a blank behind the name of the field.',
    at: line.at + line.text.indexOf(mark),
  };
};

/** Detects `prompt: {a.count} rows?`, which YAML reads as a mapping with a text after it. */
const referenceFirst: Rule = ({ line }) => {
  const [, before = '', value] = REFERENCE_FIRST.exec(line.text) ?? [];
  if (value === undefined) return undefined;
  const reference = /^\{[^}]*\}/.exec(value)?.[0] ?? '';
  return {
    message: `A text that begins with ${reference} needs quotes.`,
    suggestion: `Write ${before.trim()} "${value.trim()}".`.replace('Write  ', 'Write '),
    at: line.at + before.length,
  };
};

/** The value of the line before goes on in this one, which looks like the next field. */
const tooDeep: Rule = ({ fault, text, line }) => {
  if (!fault.message.startsWith('Nested mappings')) return undefined;
  const next = lineAt(text, line.at + line.text.length + 1);
  const isDeeper = next.no > line.no && indentOf(next.text) > startOf(line.text);
  if (!isDeeper || !FIELD.test(next.text) || /:\s.*:\s/.test(line.text)) return undefined;
  return {
    message: `This line is indented further than line ${line.no}, which has a value already.`,
    suggestion: `Indent it by ${startOf(line.text)} spaces, like the field above.`,
    at: next.at + indentOf(next.text),
    all: true,
  };
};

const tooShallow: Rule = ({ fault, line }) =>
  /Sequence item without - indicator|must start at the same column/.test(fault.message) && FIELD.test(line.text)
    ? {
        message: `This line is indented by ${indentOf(line.text)} spaces, unlike the other fields of its mapping.`,
        suggestion: 'Give all lines of one list or mapping the same indentation.',
        all: true,
      }
    : undefined;

/** A line that is neither a field nor an element. */
const noField: Rule = ({ fault, line }) => {
  if (!/Implicit (?:map )?keys need to/.test(fault.message)) return undefined;
  const [, name = '', value] = NO_BLANK.exec(line.text) ?? [];
  if (value !== undefined) {
    return {
      message: `Behind \`${name}:\` a blank is missing.`,
      suggestion: `Write ${name}: ${shorten(value.trim())}.`,
    };
  }
  if (FIELD.test(line.text) || /^\s*["'{[?]/.test(line.text)) return undefined;
  return {
    message: 'This line is no field (`name: value`).',
    suggestion:
      'Write a colon and a blank behind the name of the field, or indent the line further if it goes on with the text above.',
  };
};

const closedTwice: Rule = ({ fault }) => {
  const close = /^Unexpected flow-(map|seq)-end/.exec(fault.message)?.[1];
  if (close === undefined) return undefined;
  const mark = close === 'map' ? '}' : ']';
  return {
    message: `This ${mark} closes nothing.`,
    suggestion: `Remove it, or write ${close === 'map' ? '{' : '['} where the value begins.`,
    at: fault.pos[0],
    all: true,
  };
};

const noComma: Rule = ({ fault }) =>
  /^Block collections are not allowed within flow|^Missing , /.test(fault.message)
    ? {
        message: 'Between two fields in braces or elements in brackets a comma is missing.',
        suggestion: 'Write {a: 1, b: 2}. Put a value that contains ": " into quotes.',
        at: fault.pos[0],
      }
    : undefined;

const RULES: readonly Rule[] = [
  strangeBlank,
  tab,
  strangeQuotes,
  wideColon,
  referenceFirst,
  tooDeep,
  tooShallow,
  noField,
  closedTwice,
  noComma,
];

function lineAt(text: string, offset: number): Line {
  const at = text.lastIndexOf('\n', Math.max(0, Math.min(offset, text.length) - 1)) + 1;
  const end = text.indexOf('\n', at);
  const no = text.slice(0, at).split('\n').length;
  return { no, at, text: text.slice(at, end < 0 ? text.length : end).replace(/\r$/, '') };
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

/** Beginning of the first field of a line, behind the dash of an element. */
function startOf(line: string): number {
  return /^ *(?:- +)*/.exec(line)?.[0].length ?? 0;
}

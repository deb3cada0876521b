import { parseWrittenJson } from '../../base/exact-json';
import type { Json, JsonObject } from '../../base/json';
import { isJsonObject } from '../../base/json';
import { exceedsJsonDepth } from '../../base/json-depth';
import { readNumber, writtenNumber } from '../../base/number-rule';
import type { Problem } from '../../errors/problem';
import { readSource } from '../../playbook/source';
import type { SourceDocument } from '../../playbook/source-document';
import type { Path, SourceNode } from '../../playbook/source-node';
import { placeOfJsonFault } from '../json-place';

/** UTF-16 units; YAML has the smaller limit of its reader. */
export const MAX_DOCUMENT_CHARS = 5_000_000;
const MAX_DEPTH = 100;
/** JSON below this length is read a second time with the places of everything in it. */
const PLACED_JSON_CHARS = 200_000;

export interface ReadDocument {
  json: JsonObject;
  /** Place of the value at a path in the text; undefined = not known. */
  placeOf(path: Path): { line: number; column: number } | undefined;
}

export type ReadResult = { document: ReadDocument } | { problems: Problem[] };

/** Reads an OpenAPI document or a part of one: JSON, or YAML by the rules of definitions. Never throws. */
export function readDocument(text: string): ReadResult {
  const clean = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (clean.length > MAX_DOCUMENT_CHARS) {
    return refused('text_too_large', `The document is longer than ${MAX_DOCUMENT_CHARS} characters.`);
  }
  return /^\s*[{[]/.test(clean) ? readJson(clean) : readYaml(clean);
}

function readJson(text: string): ReadResult {
  let json: Json;
  try {
    json = parseWrittenJson(text);
  } catch (error) {
    // A document in flow style is no JSON, but it is YAML.
    const yaml = text.length <= PLACED_JSON_CHARS ? readYaml(text) : undefined;
    return yaml !== undefined && 'document' in yaml ? yaml : { problems: [jsonProblem(text, error)] };
  }
  if (exceedsJsonDepth(json, MAX_DEPTH)) {
    return refused('too_deep', `The document is nested deeper than ${MAX_DEPTH} levels.`);
  }
  if (!isJsonObject(json)) {
    return refused('invalid_document', 'The document must be an object.');
  }
  const placed = text.length <= PLACED_JSON_CHARS ? readSource(text).document : undefined;
  return {
    document: {
      json,
      placeOf: (path) => (placed === undefined ? undefined : placed.position(placed.offsetOf(path))),
    },
  };
}

function jsonProblem(text: string, error: unknown): Problem {
  const said = error instanceof Error ? error.message : String(error);
  // Messages of the engine may quote the text, which is left out.
  const what = /^[^"]*?(?= in JSON|, "|, \.\.\."|$)/.exec(said)?.[0] ?? '';
  const place = placeOfJsonFault(text, error);
  const message = `The document is no valid JSON${what === '' ? '' : `: ${what}`}.`;
  const suggestion = /control character/i.test(what) ? { suggestion: 'Write a line break inside a text as \\n.' } : {};
  return { severity: 'error', code: 'invalid_json', message, ...place, ...suggestion };
}

/** Findings about values that the connector does not take over; the document means the same without them. */
const HARMLESS = new Set(['invalid_number', 'unquoted_reference', 'leading_zero', 'number_spelling']);

function readYaml(text: string): ReadResult {
  const { document, problems } = readSource(text);
  const found = problems.sorted().filter(({ code }) => !HARMLESS.has(code));
  const errors = found.filter(({ severity }) => severity === 'error').map(inOurWords);
  if (document === undefined || errors.length > 0) {
    return { problems: errors };
  }
  const json = written(document, document.root);
  if (!isJsonObject(json)) {
    return refused('invalid_document', 'The document must be keys and values, as an OpenAPI description is.');
  }
  return { document: { json, placeOf: (path) => document.position(document.offsetOf(path)) } };
}

/** Keeps numbers as they are written: only the schema says whether `1.10` is a number or a text such as a version. */
function written(document: SourceDocument, node: SourceNode): Json {
  if (node.kind === 'list') return node.items.map((item) => written(document, item));
  if (node.kind === 'map') {
    const json: JsonObject = {};
    for (const [key, { value }] of node.entries) json[key] = written(document, value);
    return json;
  }
  if (typeof node.value !== 'number') return node.value;
  const text = document.text.slice(node.at, node.end).trim();
  if (readNumber(text) !== undefined) return writtenNumber(text);
  // Hexadecimal and octal numbers have no decimal spelling that could be lost; `.inf` is none at all.
  return Number(text) === node.value ? node.value : text;
}

/** Removes the reader's advice: it is for definitions that the person writes, and this text comes from elsewhere. */
function inOurWords(problem: Problem): Problem {
  const { suggestion: _suggestion, ...rest } = problem;
  switch (problem.code) {
    case 'text_too_large':
    case 'text_too_complex':
      return { ...rest, message: 'The YAML is too large.', suggestion: 'Give it as JSON, which may have up to 5 MB.' };
    case 'multiple_documents':
      return { ...rest, message: 'A second document begins here (---); give one.' };
    case 'directive_not_allowed':
      return { ...rest, message: 'Directives (lines that begin with %) are not read.', suggestion: 'Remove the line.' };
    case 'too_deep':
      return { ...rest, message: `The document is nested deeper than ${MAX_DEPTH} levels here.` };
    default:
      return problem;
  }
}

function refused(code: string, message: string): ReadResult {
  return { problems: [{ severity: 'error', code, message, line: 1, column: 1 }] };
}

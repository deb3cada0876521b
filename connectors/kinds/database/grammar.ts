import { readFileSync } from 'node:fs';
import PgQueryModule from 'libpg-query/wasm/libpg-query.js';
import type { PgQueryOptions, PgQueryWasm } from 'libpg-query/wasm/libpg-query.js';
import { StatementRuleError } from './statement-rules';

/** A text that PostgreSQL's grammar does not accept. `at`: character in it, counted from 0. */
export class SyntaxFault extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** One statement of a text. `at`: the byte that it begins at, comments and spaces included. */
export interface ParsedStatement {
  statement: unknown;
  at: number;
}

/** Compiled once, at the first statement that this process reads. */
let compiled: WebAssembly.Module | undefined;
let grammar: PgQueryWasm | undefined;

/** The statements of a text as PostgreSQL's parser sees them. Throws SyntaxFault. */
export function parseTree(text: string): ParsedStatement[] {
  if (text.trim() === '') return [];
  grammar ??= newGrammar();
  try {
    return parseWith(grammar, text);
  } catch (error) {
    if (error instanceof SyntaxFault) throw error;
    // The parser ran out of its stack: its memory is not to be trusted any more.
    grammar = undefined;
    throw new StatementRuleError('The statement is nested too deeply.', 0);
  }
}

function newGrammar(): PgQueryWasm {
  const module = (compiled ??= new WebAssembly.Module(
    readFileSync(require.resolve('libpg-query/wasm/libpg-query.wasm')),
  ));
  const made: Partial<PgQueryWasm> & PgQueryOptions = {
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance, module);
      return instance.exports;
    },
  };
  void PgQueryModule(made);
  return made as PgQueryWasm;
}

function parseWith(wasm: PgQueryWasm, text: string): ParsedStatement[] {
  const size = wasm.lengthBytesUTF8(text) + 1;
  const source = wasm._malloc(size);
  wasm.stringToUTF8(text, source, size);
  const result = wasm._wasm_parse_query_raw(source);
  try {
    // struct { char *parse_tree; char *stderr; struct { char *message, *function, *file; int line, cursor; } *error; }
    const fault = wasm.getValue(result + 8, 'i32');
    if (fault !== 0) {
      const message = wasm.UTF8ToString(wasm.getValue(fault, 'i32'));
      throw new SyntaxFault(message, Math.max(0, wasm.getValue(fault + 16, 'i32') - 1));
    }
    return statementsOf(JSON.parse(wasm.UTF8ToString(wasm.getValue(result, 'i32'))) as ParseTree);
  } finally {
    wasm._free(source);
    wasm._wasm_free_parse_result(result);
  }
}

interface ParseTree {
  stmts?: { stmt?: unknown; stmt_location?: number }[];
}

function statementsOf(tree: ParseTree): ParsedStatement[] {
  return (tree.stmts ?? []).map(({ stmt, stmt_location }) => ({ statement: stmt, at: stmt_location ?? 0 }));
}

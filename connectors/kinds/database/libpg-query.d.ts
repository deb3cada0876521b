/** PostgreSQL's own parser as WebAssembly. The package's entry loads it at once and only later; this is what the entry wraps. */
declare module 'libpg-query/wasm/libpg-query.js' {
  export interface PgQueryWasm {
    _malloc(size: number): number;
    _free(pointer: number): void;
    _wasm_parse_query_raw(text: number): number;
    _wasm_free_parse_result(result: number): void;
    lengthBytesUTF8(text: string): number;
    stringToUTF8(text: string, pointer: number, size: number): void;
    getValue(pointer: number, type: 'i32'): number;
    UTF8ToString(pointer: number): string;
  }
  export interface PgQueryOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): WebAssembly.Exports;
  }
  export default function PgQueryModule(options: Partial<PgQueryWasm> & PgQueryOptions): Promise<PgQueryWasm>;
}

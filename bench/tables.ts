/** Tables in Markdown: a table is found by the name of its first column, a row by its first cell. */
interface Table {
  columns: string[];
  /** Cells by column name. */
  rows: Map<string, Map<string, string>>;
}

/** Name of the last column of a kept table. */
const MEASURED = 'measured';

/** The tables with a column that says when each row was measured. */
export function dated(tables: string, when: string): string {
  return texts(parse(tables).map((table) => withTime(table, when)));
}

/** `fresh` over `kept`: rows and tables that were not measured again stay as they were, each with its time. */
export function merged(kept: string, fresh: string): string {
  const before = parse(kept);
  const now = parse(fresh);
  const news = now.filter((table) => !before.some((other) => other.columns[0] === table.columns[0]));
  const changed = before.map((table) => {
    const update = now.find((other) => other.columns[0] === table.columns[0]);
    return update === undefined ? table : over(table, update);
  });
  return texts([...changed, ...news]);
}

function over(kept: Table, fresh: Table): Table {
  const columns = [...new Set([...fresh.columns, ...kept.columns])].filter((name) => name !== MEASURED);
  return { columns: [...columns, MEASURED], rows: new Map([...kept.rows, ...fresh.rows]) };
}

function withTime({ columns, rows }: Table, when: string): Table {
  const marked = [...rows].map(([name, cells]) => [name, new Map([...cells, [MEASURED, when]])] as const);
  return { columns: [...columns, MEASURED], rows: new Map(marked) };
}

function parse(text: string): Table[] {
  const blocks = text.split(/\n\s*\n/).map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  return blocks.filter((lines) => lines.length > 0).map(tableOf);
}

function tableOf([head = '', _rule, ...lines]: string[]): Table {
  const columns = named(cellsOf(head));
  const rows = lines.map((line) => {
    const cells = cellsOf(line);
    return [cells[0] ?? '', new Map(columns.map((name, at) => [name, cells[at] ?? '']))] as const;
  });
  return { columns, rows: new Map(rows) };
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** Key of a column; one without a name is known by its place. */
function named(columns: string[]): string[] {
  return columns.map((name, at) => (name === '' ? ' '.repeat(at + 1) : name));
}

function texts(tables: readonly Table[]): string {
  return tables.map(textOf).join('\n\n');
}

function textOf({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.trim()).join(' | ')} |`;
  const body = [...rows.values()].map((cells) => line(columns.map((name) => cells.get(name) ?? '')));
  return [line(columns), `|${' --- |'.repeat(columns.length)}`, ...body].join('\n');
}

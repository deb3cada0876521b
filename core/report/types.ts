import type { Json, JsonObject } from '../base/json';

/** `format` says how the value is shown in Markdown; absent = by its shape. */
export const SECTION_FORMATS = ['markdown', 'text', 'table', 'list', 'json', 'csv', 'structured'] as const;

export interface ReportSection {
  title: string;
  value: Json;
  format?: string;
  /** Reference that should have given the value and has none. The value is null then. */
  absent?: string;
  /** Missing results that the section depends on, a line each. */
  lacks?: string[];
}
export interface Report {
  title: string;
  sections: ReportSection[];
  /** Facts about the run: playbook, run id, status, times, inputs, decisions, and what is `missing`. */
  meta?: JsonObject;
  /** True when CSV and JSON hold the data alone, and the report's facts stand in a file beside them. */
  dataAlone?: true;
}
export interface ReportLimits {
  /** Rows of a table and elements of a list; the rest is counted in one line. */
  maxRows: number;
  /** Columns of a table. */
  maxColumns: number;
  /** UTF-16 units of a table cell or of a value beside its name. */
  maxCell: number;
}
export const DEFAULT_LIMITS: ReportLimits = { maxRows: 1000, maxColumns: 40, maxCell: 500 };

/** Columns by first appearance; a row has a value or null for each. */
export interface Table {
  columns: string[];
  rows: Json[][];
}

import type { ValueType } from '../types';

export type SampleFormat = 'json' | 'xml' | 'csv';

export interface SampleField {
  /** snake_case, unique. */
  field: string;
  /** Dot path, XPath or column, as the format has it. */
  path: string;
  type: ValueType;
}

/** Shape of the answers or files that a sample stands for. */
export interface SampleShape {
  format: SampleFormat;
  /** Path of the records; absent = the sample is one record, or nothing but records. */
  list?: string;
  /** The sample is one record. */
  single: boolean;
  /** Records that were seen. */
  records: number;
  fields: SampleField[];
  /** CSV. */
  delimiter?: string;
  header?: boolean;
  /** Names in the sample that no path can name. */
  unnamed: string[];
}

export const MAX_FIELDS = 300;
/** Limit of records: further ones tell nothing new about their shape. */
export const MAX_RECORDS = 500;

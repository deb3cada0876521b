import type { JsonObject } from '../../../core/base/json';
import type { FieldWarning } from '../files/parsed-file';

export interface ParsedPage {
  records: JsonObject[];
  warnings: FieldWarning[];
  /** Where `follow` leads, absolute. */
  next?: string;
}

import type { JsonObject } from '../../../core/base/json';
import type { FieldWarning } from '../../formats/parsed-file';

export interface ParsedPage {
  records: JsonObject[];
  warnings: FieldWarning[];
  /** Absolute address of the `follow` link. */
  next?: string;
}

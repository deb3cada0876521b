import type { ExactNumbers } from '../base/exact-numbers';
import type { JsonObject } from '../base/json';
import type { Remarks } from './remarks';
import type { Row } from './rows';

export interface OperationContext {
  /** The other inputs of the step, by name. */
  extra: JsonObject;
  exact: ExactNumbers;
  /** Warnings of the operation. */
  remarks: Remarks;
}

/** Rows are never changed in place; failures are thrown. */
export type Operation = (rows: Row[], params: JsonObject, context: OperationContext) => Row[];

import type { ExactNumbers } from '../base/exact-numbers';
import type { JsonObject } from '../base/json';
import type { Row } from './rows';

/** `extra`: the other inputs of the step, by name. Rows are never changed in place; failures are thrown. */
export type Operation = (rows: Row[], params: JsonObject, extra: JsonObject, exact: ExactNumbers) => Row[];

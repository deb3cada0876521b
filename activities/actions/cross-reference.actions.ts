import { pureAction } from './transform.actions';
import type { ActionTable } from './types';

/** Activity for `cross_reference`, for data that is not kept in the workflow. */
export function createCrossReferenceActions(): ActionTable {
  return { cross_reference: pureAction('cross_reference') };
}

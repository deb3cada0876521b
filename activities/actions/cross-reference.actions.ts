import { pureAction } from './transform.actions';
import type { ActionTable } from './types';

/** The activity's form of `cross_reference`, for data that lies outside the workflow. */
export function createCrossReferenceActions(): ActionTable {
  return { cross_reference: pureAction('cross_reference') };
}

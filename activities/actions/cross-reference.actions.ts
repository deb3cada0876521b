import { pureAction } from './transform.actions';
import type { ActionTable } from './types';

/** Activities for the other pure actions, for data that is not kept in the workflow. */
export function createCrossReferenceActions(): ActionTable {
  return { cross_reference: pureAction('cross_reference'), end_run: pureAction('end_run') };
}

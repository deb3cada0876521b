import { AppError } from '../../core/errors/app-error';
import { pureActions } from '../../core/transform/pure-actions';
import type { Action, ActionTable } from './types';

/** Activity for `transform_data`, for data that is not kept in the workflow. */
export function createTransformActions(): ActionTable {
  return { transform_data: pureAction('transform_data') };
}

/** Carries out a pure action of the core; its failure is the step's. */
export function pureAction(name: string): Action {
  const carryOut = pureActions[name];
  return async (call) => {
    if (carryOut === undefined) {
      throw new AppError('not_available', `${name} is no pure action.`, { category: 'internal' });
    }
    const result = carryOut(call.inputs, call.params);
    if (!result.ok) {
      throw new AppError(result.code, result.message, { category: 'validation' });
    }
    return { output: result.output };
  };
}

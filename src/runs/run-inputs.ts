import type { JsonObject } from '../../core/base/json';
import { exceedsJsonSize } from '../../core/base/json-size';
import { AppError } from '../../core/errors/app-error';
import { hasErrors } from '../../core/errors/problem';
import type { Plan } from '../../core/playbook/types';
import { checkRunInputs } from '../../core/validate/run-inputs';
import { withPointers } from '../http/pointer';
import type { StartRunDto } from './dto/start-run.dto';

/** Bytes of JSON; what is larger belongs into a document. */
const MAX_INPUT_BYTES = 6 * 1024 * 1024;

/** The run's inputs with defaults filled in. Throws `invalid_inputs` with every problem, `payload_too_large`. */
export function checkInputs(plan: Plan, body: Pick<StartRunDto, 'inputs'>): JsonObject {
  if (exceedsJsonSize(body.inputs, MAX_INPUT_BYTES)) {
    throw new AppError('payload_too_large', 'The inputs are larger than 6 MB. Upload a document and pass its id.', {
      category: 'too_large',
    });
  }
  const { values, problems } = checkRunInputs(plan.inputs, body.inputs);
  if (hasErrors(problems)) {
    throw new AppError('invalid_inputs', `The inputs do not fit what the playbook "${plan.playbook.id}" declares.`, {
      category: 'validation',
      problems: withPointers(problems),
    });
  }
  return values;
}

import { ApiProperty } from '@nestjs/swagger';
import type { Plan } from '../../core/playbook/types';
import type { ModelFacts, PlaybookEntry } from '../../core/validate/catalogue';
import { modelWarning } from '../../core/validate/model-warning';

/** Problem of a run that is known before it begins. */
export class RunWarningDto {
  @ApiProperty({ example: 'model_not_configured' })
  code!: string;

  @ApiProperty()
  message!: string;
}

/** `called`: what the plan runs, at any depth. */
export function warningsOf(
  plan: Plan,
  models: ModelFacts,
  called: (slug: string) => PlaybookEntry | undefined,
): { warnings?: RunWarningDto[] } {
  const message = modelWarning(plan, models, called);
  return message === undefined ? {} : { warnings: [{ code: 'model_not_configured', message }] };
}

import type { StepPlan } from './types';

/** True where the author wrote the field: a plan does not tell defaults from what was written. */
export type IsWritten = (step: StepPlan, field: string) => boolean;

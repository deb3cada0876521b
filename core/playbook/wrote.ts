import type { StepPlan } from './types';

/** True where the author wrote the field: a plan says what applies, and not who said it. */
export type Wrote = (step: StepPlan, field: string) => boolean;

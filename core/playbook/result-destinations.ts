import type { DestinationType } from '../actions/destinations';
import type { Plan } from './types';

/** Results go to their destinations when all steps are over. A chat only shows them. */
export function writesResults(plan: Plan): boolean {
  return resultDestinations(plan).length > 0;
}

export function resultDestinations({ output }: Plan): DestinationType[] {
  const types = (output?.destinations ?? []).map(({ type }) => type).filter((type) => type !== 'chat');
  return [...new Set(types)];
}

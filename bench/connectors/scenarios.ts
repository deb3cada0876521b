import type { Scenario } from '../scenario';
import type { Size } from '../scenarios';
import type { Stack } from '../stack';
import { pagingScenario } from './paging-scenario';
import { parseScenario } from './parse-scenario';

/** Scenarios of connectors, compared with the libraries that they use. */
export function connectorScenarios(stack: Stack, size: Size): Scenario[] {
  const some = (count: number): number => Math.max(3, Math.round(count * size.scale));
  return [parseScenario(some), pagingScenario(stack, some)];
}

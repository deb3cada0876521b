export const START_SCENARIO = 'start-run';
export const LISTS_SCENARIO = 'lists';
export const LIVE_SCENARIO = 'live';
export const LIVE = 'GET /health/live';
/** Starts on the bare Temporal server, with a worker that takes them up: nothing that starts runs can be faster. */
export const BARE_START = 'bare start';

/** Requests a second, and the 95th percentile of their times in ms. */
export interface Bound {
  rate: number;
  p95: number;
}

/** Goals for each kind of request of the scenario except the bare one. Missing the floor fails the benchmark; the aim is what we want to reach. */
export const FLOORS: readonly { scenario: string; floor: Bound; aim: Bound }[] = [
  { scenario: START_SCENARIO, floor: { rate: 30, p95: 250 }, aim: { rate: 80, p95: 120 } },
  { scenario: LISTS_SCENARIO, floor: { rate: 60, p95: 200 }, aim: { rate: 150, p95: 80 } },
];

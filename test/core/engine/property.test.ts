import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { Chaos, type Weather } from './chaos';
import { makePlan, shapes, type Shape } from './random-plans';

const CALM: Weather = { failures: false, people: false, losses: false, drains: false, waits: false, cancel: false };
const choices = fc.array(fc.nat(1_000_000), { maxLength: 500, size: 'max' });
const RUNS = Number(process.env['AF_PROPERTY_RUNS'] ?? 250);

async function endsWell(list: Shape[], dag: boolean, picks: number[], weather: Weather): Promise<void> {
  await new Chaos(makePlan(list, dag), picks, weather).run();
}

const WEATHERS: [string, Weather][] = [
  ['nothing goes wrong', CALM],
  ['steps fail', { ...CALM, failures: true }],
  ['people pause and the workflow continues as new', { ...CALM, people: true, drains: true }],
  ['workers are lost', { ...CALM, losses: true }],
  [
    'sources ask for silence while people pause and workers are lost',
    { ...CALM, people: true, losses: true, drains: true, waits: true },
  ],
  ['all of it', { failures: true, people: true, losses: true, drains: true, waits: true, cancel: false }],
  ['all of it, and a cancel', { failures: true, people: true, losses: true, drains: true, waits: true, cancel: true }],
];

describe('random runs end, and every step that begins closes once', () => {
  it.each(WEATHERS)('%s', async (_name, weather) => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.boolean(), choices, (list, dag, picks) => endsWell(list, dag, picks, weather)),
      { numRuns: RUNS },
    );
  });
});

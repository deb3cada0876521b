import { expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { Simulator } from './simulator';

const ROUTED: JsonObject = {
  routed_to: ['document'],
  success: false,
  routing_report: [
    { destination: 'document', status: 'success' },
    { destination: 'chat', status: 'skipped', code: 'condition_false' },
    { destination: 'folder', status: 'error', code: 'folder_not_found' },
    { destination: 'knowledge_graph', status: 'not_available', code: 'not_available' },
  ],
};

function asked(prompt: string): Simulator {
  const steps = `
  - {name: put, step_type: tool, action: route_output, inputs: {data: [1]}}
  - {name: ask, step_type: approval, prompt: "${prompt}"}`;
  const traits = { route_output: { short: true, pure: false, available: true, model: false } };
  const run = new Simulator(`id: g\nname: G\nsteps:${steps}`, { traits });
  run.ok('put', { put: ROUTED });
  return run;
}

it('a step whose destinations were not written says so, and its run is partial', () => {
  const run = asked('{put.routed_to}');
  const message = '2 of 4 destinations not written: folder: folder_not_found, knowledge_graph: not_available';
  expect(run.approvals[0]?.failures).toEqual([{ step: 'put', kind: 'incomplete', code: 'not_written', message }]);
  run.decide('ask', 'approved');
  expect(run.finish?.status).toBe('partial');
});

it('not where the playbook reads the report', () => {
  const run = asked('{put.routing_report}');
  run.decide('ask', 'approved');
  expect(run.finish?.status).toBe('complete');
});

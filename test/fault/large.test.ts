import { afterAll, beforeAll } from '@jest/globals';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { ModelServer } from '../support/model-server';
import { CANARY } from '../support/stack';
import { largeValues } from './cases/large';
import { longRuns } from './cases/long-runs';
import { modelFaults } from './cases/models';

let model: ModelServer;
let bench: FaultBench;
beforeAll(async () => {
  model = await ModelServer.start({ keys: [CANARY] });
  bench = await startFaultBench({
    egress: [new URL(model.openaiUrl).host],
    env: {
      // No case here is about lost workers: one that a busy machine keeps from its signs of life is not taken for lost, so that
      // nothing is asked twice.
      AF_HEARTBEAT_TIMEOUT_SECONDS: '60',
      AF_MODELS: 'openai/gpt-6-sol,anthropic/claude-sonnet-5-5',
      OPENAI_API_KEY: CANARY,
      OPENAI_BASE_URL: model.openaiUrl,
      ANTHROPIC_API_KEY: CANARY,
      ANTHROPIC_BASE_URL: model.anthropicUrl,
    },
  });
});
afterAll(async () => {
  await bench?.close();
  await model?.close();
});

largeValues(
  () => bench,
  () => model,
);
modelFaults(
  () => bench,
  () => model,
);
longRuns(() => bench);

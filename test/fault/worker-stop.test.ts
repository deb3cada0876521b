import { afterAll, beforeAll } from '@jest/globals';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { ModelServer } from '../support/model-server';
import { noConnections } from './cases/no-connections';
import { openEnds } from './cases/open-ends';
import { shutdownInSegments } from './cases/shutdown-segments';

let model: ModelServer;
let bench: FaultBench;
beforeAll(async () => {
  model = await ModelServer.start();
  bench = await startFaultBench({
    egress: [new URL(model.openaiUrl).host],
    env: { AF_MODELS: 'openai/gpt-6-sol', OPENAI_API_KEY: 'key-of-the-tests', OPENAI_BASE_URL: model.openaiUrl },
  });
});
afterAll(async () => {
  await bench?.close();
  await model?.close();
});

shutdownInSegments(() => bench);
noConnections(() => bench);
openEnds(
  () => bench,
  () => model,
);

import path from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { parseConfig } from '../../infra/config/config';
import { connectionOptions } from '../../infra/temporal/connection';
import * as activities from './activities';
import { BARE_QUEUE } from './queue';

/** A worker as the product's: same cache, same pollers, same limits; its own queue on the same server. */
async function main(): Promise<void> {
  const config = parseConfig(process.env);
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: ['SIGINT', 'SIGTERM'] });
  const connection = await NativeConnection.connect(connectionOptions(config));
  const worker = await Worker.create({
    connection,
    namespace: config.temporalNamespace,
    taskQueue: BARE_QUEUE,
    workflowsPath: path.join(__dirname, 'workflows.js'),
    activities,
    maxCachedWorkflows: config.cachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentActivityTaskExecutions: 50,
    workflowTaskPollerBehavior: { type: 'autoscaling', initial: 5, minimum: 2, maximum: 20 },
    activityTaskPollerBehavior: { type: 'autoscaling', initial: 5, minimum: 2, maximum: 20 },
  });
  process.stdout.write('bare worker ready\n');
  await worker.run();
  await connection.close();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);

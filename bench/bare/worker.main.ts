import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { parseConfig } from '../../infra/config/config';
import { connectionOptions } from '../../infra/temporal/connection';
import { openInspector } from '../profile/open-inspector';
import * as activities from './activities';
import { BARE_QUEUE } from './queue';
import { segmentActivities, Segments } from './segment';

/** A worker like the product's (same cache, pollers and limits) with a queue of its own on the same server. */
async function main(bundleFile: string, databaseUrl: string): Promise<void> {
  openInspector();
  const config = parseConfig(process.env);
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: ['SIGINT', 'SIGTERM'] });
  writeFileSync(bundleFile, (await bundleWorkflowCode({ workflowsPath: path.join(__dirname, 'workflows.js') })).code);
  const connection = await NativeConnection.connect(connectionOptions(config));
  const segments = await Segments.connect(databaseUrl);
  const worker = await Worker.create({
    connection,
    namespace: config.temporalNamespace,
    taskQueue: BARE_QUEUE,
    workflowBundle: { codePath: bundleFile },
    activities: { ...activities, ...segmentActivities(segments) },
    maxCachedWorkflows: config.cachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentActivityTaskExecutions: 50,
    workflowTaskPollerBehavior: { type: 'autoscaling', initial: 5, minimum: 2, maximum: 20 },
    activityTaskPollerBehavior: { type: 'autoscaling', initial: 5, minimum: 2, maximum: 20 },
  });
  process.stdout.write('bare worker ready\n');
  await worker.run();
  await connection.close();
  await segments.close();
}

// The bundle is written to a file, as for the product's worker: a profile then names the sources of its functions.
main(process.argv[2] ?? '', process.env['DATABASE_URL'] ?? '').then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);

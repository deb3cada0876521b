import { afterAll, describe, expect, it } from '@jest/globals';
import { Client, type Connection } from '@temporalio/client';
import { connectTemporal, startTemporal, type TestTemporal } from '../../support/temporal';

describe('embedded Temporal', () => {
  let server: TestTemporal | undefined;
  let connection: Connection | undefined;
  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  });

  it('keeps its runs over a kill, and thirty days of them', async () => {
    server = await startTemporal();
    connection = await connectTemporal(server.address);
    await new Client({ connection }).workflow.start('anything', {
      workflowId: 'kept',
      taskQueue: 'nobody',
      searchAttributes: { AfOwner: ['somebody'] },
    });
    await server.kill();
    await server.start();
    const description = await new Client({ connection }).workflow.getHandle('kept').describe();
    expect(description.status.name).toBe('RUNNING');
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
  });
});

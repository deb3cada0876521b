import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { FAILURE_CONVERTER, WORKFLOW_PAYLOAD_CONVERTER } from '../../infra/temporal/connection';
import { QUIET } from './quiet-runtime';
import { runFolder, sharedOnce } from './run-folder';

/** The workflow code of the sources, bundled once for the whole test run. */
export function sourceBundle(): Promise<{ codePath: string }> {
  return sharedOnce('workflow-bundle', async () => {
    const codePath = join(runFolder(), 'workflow-bundle.js');
    await bundleTo(codePath, resolve(__dirname, '../../workflows/index.ts'));
    return { codePath };
  });
}

async function bundleTo(codePath: string, workflowsPath: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    failureConverterPath: FAILURE_CONVERTER,
    payloadConverterPath: WORKFLOW_PAYLOAD_CONVERTER,
    logger: QUIET,
  });
  writeFileSync(codePath, code);
}

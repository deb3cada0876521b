import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { bundleWorkflowCode, type BundleOptions } from '@temporalio/worker';
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

const { compiledForNow } = createRequire(__filename)(resolve(__dirname, '../../scripts/lib/workflow-target.cjs')) as {
  compiledForNow: NonNullable<BundleOptions['webpackConfigHook']>;
};

async function bundleTo(codePath: string, workflowsPath: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    failureConverterPath: FAILURE_CONVERTER,
    payloadConverterPath: WORKFLOW_PAYLOAD_CONVERTER,
    webpackConfigHook: compiledForNow,
    logger: QUIET,
  });
  writeFileSync(codePath, code);
}

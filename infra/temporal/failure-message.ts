import type { Client } from '@temporalio/client';
import type { ProtoFailure } from '@temporalio/common';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';
import { AppError } from '../../core/errors/app-error';

/** Message of a failure in the raw history of a workflow, sealed or not. Undefined where it cannot be opened. */
export async function failureMessage(
  client: Client,
  workflowId: string,
  failure: ProtoFailure | null | undefined,
): Promise<string | undefined> {
  const { loadedDataConverter, namespace } = client.options;
  try {
    const context = { type: 'workflow', namespace, workflowId } as const;
    const error = await decodeOptionalFailureToOptionalError(loadedDataConverter, failure, context);
    return error?.message;
  } catch (error) {
    if (error instanceof AppError && error.category !== 'unavailable') return undefined;
    throw error;
  }
}

import { status as grpc, type Interceptor } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor, type GrpcRetryOptions } from '@temporalio/client';

const UPDATE = /\/UpdateWorkflowExecution$/;
/** The server is one of ours or a cluster with spare hosts: both are soon back, and a call has a few seconds in all. */
const AWAY_MS = 500;

const standard = defaultGrpcRetryOptions();

/**
 * Calls that the SDK repeats, with two differences. An update that the server has no room for is not repeated: the SDK
 * waits two seconds and then three, which is longer than a person who decides; the gateway repeats it soon. And nothing is
 * repeated once `ending` is aborted: closing the connection waits for the calls, not for their deadlines.
 */
export function grpcRetry(ending?: AbortSignal): Interceptor {
  const options = (also: GrpcRetryOptions['retryableDecider']): GrpcRetryOptions => ({
    delayFunction: (attempt, status) => {
      const delay = standard.delayFunction(attempt, status);
      return status.code === grpc.UNAVAILABLE ? Math.min(delay, AWAY_MS) : delay;
    },
    retryableDecider: (attempt, status) => ending?.aborted !== true && also(attempt, status),
  });
  const others = makeGrpcRetryInterceptor(options(standard.retryableDecider));
  const updates = makeGrpcRetryInterceptor(
    options((attempt, status) => status.code !== grpc.RESOURCE_EXHAUSTED && standard.retryableDecider(attempt, status)),
  );
  return (call, nextCall) => (UPDATE.test(call.method_definition.path) ? updates : others)(call, nextCall);
}

import { status as grpc, type Interceptor } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

const UPDATE = /\/UpdateWorkflowExecution$/;

const standard = defaultGrpcRetryOptions();
const others = makeGrpcRetryInterceptor(standard);
const updates = makeGrpcRetryInterceptor({
  ...standard,
  retryableDecider: (attempt, status) =>
    status.code !== grpc.RESOURCE_EXHAUSTED && standard.retryableDecider(attempt, status),
});

/**
 * What the SDK repeats by itself: as it comes, but for an update that the server has no room for. The SDK waits two
 * seconds and then three, which is longer than a person who decides; the gateway repeats it soon.
 */
export const REPEATS: Interceptor = (options, nextCall) =>
  (UPDATE.test(options.method_definition.path) ? updates : others)(options, nextCall);

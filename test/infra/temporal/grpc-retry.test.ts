import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, credentials, InterceptingCall, status, type ServiceError } from '@grpc/grpc-js';
import { grpcRetry } from '../../../infra/temporal/grpc-retry';

/** Address without a listener. */
const NOBODY = '127.0.0.1:1';
const clients: Client[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.close()));

/** One call to nobody; `sent` hears of each time it leaves. */
function call(ending: AbortSignal, sent: (times: number) => void): Promise<ServiceError | null> {
  let times = 0;
  const client = new Client(NOBODY, credentials.createInsecure(), {
    interceptors: [
      grpcRetry(ending),
      (options, next) => {
        times += 1;
        sent(times);
        return new InterceptingCall(next(options));
      },
    ],
  });
  clients.push(client);
  const bytes = (): Buffer => Buffer.alloc(0);
  return new Promise((resolve) => {
    client.makeUnaryRequest('/some.Service/Call', bytes, bytes, {}, (error) => resolve(error));
  });
}

describe('a call to a server that is away', () => {
  it('is repeated until whoever made it is ending', async () => {
    const ending = new AbortController();
    let last = 0;
    const error = await call(ending.signal, (times) => {
      last = times;
      if (times === 3) ending.abort();
    });
    expect([error?.code, last]).toEqual([status.UNAVAILABLE, 3]);
  });

  it('is made once when the end has come', async () => {
    let last = 0;
    const error = await call(AbortSignal.abort(), (times) => (last = times));
    expect([error?.code, last]).toEqual([status.UNAVAILABLE, 1]);
  });
});

import { credentials, Client, Server, ServerCredentials, type Metadata, type ServiceDefinition } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall, status } from '@grpc/grpc-js';
import { temporal } from '@temporalio/proto';

const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService/';
const asIs = (bytes: Buffer): Buffer => bytes;

/** Error that the relay answers with instead of passing the call on. */
export interface Refusal {
  code: status;
  details: string;
}

/**
 * A relay before Temporal that passes calls on unchanged, except those that `refuse` names. `asked`: the received methods
 * in their order.
 */
export class GrpcRelay {
  readonly asked: string[] = [];
  refuse: (method: string, times: number) => Refusal | undefined = () => undefined;
  private readonly server = new Server();
  private readonly onward: Client;
  private port = 0;

  private constructor(target: string) {
    this.onward = new Client(target, credentials.createInsecure());
    const handlers = Object.fromEntries(methods().map((method) => [method, this.handler(method)]));
    this.server.addService(definition(), handlers);
  }

  static async before(target: string): Promise<GrpcRelay> {
    const relay = new GrpcRelay(target);
    relay.port = await new Promise<number>((done, failed) =>
      relay.server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? failed(error) : done(port),
      ),
    );
    return relay;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  times(method: string): number {
    return this.asked.filter((each) => each === method).length;
  }

  close(): void {
    this.server.forceShutdown();
    this.onward.close();
  }

  private handler(method: string) {
    return (call: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>): void => {
      this.asked.push(method);
      const refusal = this.refuse(method, this.times(method));
      if (refusal) answer(refusal);
      else this.passOn(method, { bytes: call.request, metadata: call.metadata, deadline: call.getDeadline() }, answer);
    };
  }

  private passOn(
    method: string,
    { bytes, metadata, deadline }: { bytes: Buffer; metadata: Metadata; deadline: Date | number },
    answer: sendUnaryData<Buffer>,
  ): void {
    this.onward.makeUnaryRequest(SERVICE + method, asIs, asIs, bytes, metadata, { deadline }, (error, value) =>
      answer(error, value),
    );
  }
}

function methods(): string[] {
  // The types call it a class; it is the description of the service.
  return Object.keys((temporal.api.workflowservice.v1.WorkflowService as unknown as { methods: object }).methods);
}

function definition(): ServiceDefinition {
  const bytes = {
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  };
  return Object.fromEntries(
    methods().map((method) => [
      method,
      { path: SERVICE + method, requestStream: false, responseStream: false, ...bytes },
    ]),
  );
}

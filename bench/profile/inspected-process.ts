import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WebSocket } from 'ws';
import type { CpuProfile } from './cpu-profile';
import { inspectorFile } from './open-inspector';

/** One JavaScript thread of a process that listens for an inspector. */
interface Thread {
  name: string;
  send(method: string, params?: object): Promise<unknown>;
}

export interface ThreadReading {
  name: string;
  profile: CpuProfile;
  /** CPU time of the thread from the start of the profile to its end. */
  cpuMs: number;
}

interface Message {
  id?: number;
  method?: string;
  params?: { [name: string]: unknown };
  result?: unknown;
  error?: { message: string };
}

/** Sampling interval: a finer one slows the process down and shows no more. */
const SAMPLING_US = 1_000;
const THREAD_CPU = 'process.threadCpuUsage().user + process.threadCpuUsage().system';
const WORKFLOW_SCRIPT = 'workflow-worker-thread.js';

/** The inspector of one process, through which all of its threads are profiled at the same time. */
export class InspectedProcess {
  private readonly replies = new Map<string, (message: Message) => void>();
  private readonly threads: Thread[];
  private begun = new Map<Thread, number>();
  private lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    this.threads = [{ name: 'main', send: (method, params) => this.ask('', method, params) }];
    socket.on('message', (data: Buffer) => this.take(JSON.parse(data.toString('utf8')) as Message));
  }

  static async connect(folder: string, pid: number): Promise<InspectedProcess> {
    const socket = new WebSocket(readFileSync(inspectorFile(folder, pid), 'utf8'), { maxPayload: 0 });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const opened = new InspectedProcess(socket);
    await opened.ask('', 'NodeWorker.enable', { waitForDebuggerOnStart: false });
    return opened;
  }

  async start(): Promise<void> {
    for (const thread of this.threads) {
      await thread.send('Profiler.enable');
      await thread.send('Profiler.setSamplingInterval', { interval: SAMPLING_US });
      // Starting takes a moment: V8 names all the functions that it knows already.
      await thread.send('Profiler.start');
      this.begun.set(thread, await cpuUs(thread));
    }
  }

  async stop(): Promise<ThreadReading[]> {
    const readings: ThreadReading[] = [];
    for (const [thread, before] of this.begun) {
      const cpuMs = ((await cpuUs(thread)) - before) / 1_000;
      const { profile } = (await thread.send('Profiler.stop')) as { profile: CpuProfile };
      readings.push({ name: thread.name, profile, cpuMs });
    }
    this.begun = new Map();
    return readings;
  }

  /** Collects in every thread. */
  async collectGarbage(): Promise<void> {
    for (const thread of this.threads) await thread.send('HeapProfiler.collectGarbage');
  }

  close(): void {
    this.socket.terminate();
  }

  private ask(session: string, method: string, params: object = {}): Promise<unknown> {
    const id = ++this.lastId;
    const message = JSON.stringify({ id, method, params });
    if (session === '') this.socket.send(message);
    else
      this.socket.send(
        JSON.stringify({
          id: ++this.lastId,
          method: 'NodeWorker.sendMessageToWorker',
          params: { sessionId: session, message },
        }),
      );
    return new Promise((resolve, reject) => {
      this.replies.set(`${session}/${id}`, ({ result, error }) => {
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
    });
  }

  private take({ id, method, params = {}, ...rest }: Message, session = ''): void {
    if (id !== undefined) {
      const key = `${session}/${id}`;
      this.replies.get(key)?.({ id, ...rest });
      this.replies.delete(key);
    }
    const from = params['sessionId'] as string;
    if (method === 'NodeWorker.attachedToWorker') this.attached(from, params['workerInfo'] as { url: string });
    if (method === 'NodeWorker.receivedMessageFromWorker')
      this.take(JSON.parse(params['message'] as string) as Message, from);
  }

  private attached(session: string, { url }: { url: string }): void {
    const script = path.basename(url);
    this.threads.push({
      name: script === WORKFLOW_SCRIPT ? 'workflows' : script.replace(/\.js$/, ''),
      send: (method, params) => this.ask(session, method, params),
    });
  }
}

async function cpuUs(thread: Thread): Promise<number> {
  const answer = await thread.send('Runtime.evaluate', { expression: THREAD_CPU, returnByValue: true });
  return (answer as { result: { value: number } }).result.value;
}

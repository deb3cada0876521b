import { readFileSync } from 'node:fs';
import { ModelServer, type Reply } from './model-server';

/**
 * The stand-in as a process: `node model-server.main.js [port] [script.json]`. Prints one line of JSON with
 * its addresses; the script is a list of replies. Later answers fit the requested schema.
 */
async function main(): Promise<void> {
  const [port, script] = process.argv.slice(2);
  const server = await ModelServer.start({ port: Number(port ?? 0), autoFill: true });
  if (script !== undefined) {
    server.enqueue(...(JSON.parse(readFileSync(script, 'utf8')) as Reply[]));
  }
  process.stdout.write(
    `${JSON.stringify({ openai_url: server.openaiUrl, anthropic_url: server.anthropicUrl, pid: process.pid })}\n`,
  );
  const stop = (): void => void server.close().then(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

void main();

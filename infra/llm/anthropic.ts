import Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import { AnthropicAnswer } from './anthropic-answer';
import { messageParams } from './anthropic-messages';
import { guardedFetch } from './guarded-fetch';
import type { ReachableProvider } from './provider-egress';
import { DEFAULT_ANTHROPIC_URL } from './settings';
import { isEventStream, readBody } from './json-body';
import { byProtocol } from './protocol-error';
import type { LiveCall, ModelProvider } from './types';

/** Anthropic's messages API. */
export function createAnthropic(settings: ReachableProvider): ModelProvider {
  return {
    name: 'anthropic',
    async call(model, request, live) {
      const client = anthropicClient(settings, live);
      const response = await client.messages
        .create(messageParams(model, request), { signal: live.signal })
        .asResponse();
      const answer = new AnthropicAnswer();
      if (isEventStream(response)) {
        await readStream(client, response, answer, live);
      } else {
        await readBody(response, (body) => answer.whole(body as Anthropic.Message));
        live.usage = answer.usage;
      }
      return byProtocol(() => answer.completion(model));
    },
  };
}

function anthropicClient(settings: ReachableProvider, live: LiveCall): Anthropic {
  return new Anthropic({
    apiKey: settings.apiKey,
    webhookKey: null,
    baseURL: settings.baseUrl,
    maxRetries: 0,
    // The watchdog ends calls; the SDK's own limit must never be the shorter one.
    timeout: 24 * 60 * 60 * 1000,
    logLevel: 'off',
    // The SDK sends a bearer token since API version 2026-10-21; compatible servers may still read the older header.
    ...(settings.baseUrl === DEFAULT_ANTHROPIC_URL ? {} : { defaultHeaders: { 'x-api-key': settings.apiKey } }),
    fetch: guardedFetch({ egress: settings.egress, baseUrl: settings.baseUrl, onBytes: () => live.beat() }),
  });
}

/** Reads with the client, whose logger is off: the SDK's own would print pieces of answers. */
async function readStream(
  client: Anthropic,
  response: Response,
  answer: AnthropicAnswer,
  live: LiveCall,
): Promise<void> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort();
  live.signal.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const event of Stream.fromSSEResponse<Anthropic.RawMessageStreamEvent>(response, controller, client)) {
      byProtocol(() => answer.event(event));
      live.usage = answer.usage;
    }
  } finally {
    live.signal.removeEventListener('abort', onAbort);
  }
  live.signal.throwIfAborted();
}

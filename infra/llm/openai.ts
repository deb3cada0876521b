import OpenAI from 'openai';
import { guardedFetch } from './guarded-fetch';
import { callChat } from './openai-chat';
import { callResponses } from './openai-responses';
import type { ReachableProvider } from './provider-egress';
import type { LiveCall, ModelProvider } from './types';

/**
 * OpenAI, and every server that is compatible with its chat completions. A model that takes tools only at
 * the responses API refuses once, with an unbilled 400; from then on this process calls it there.
 */
export function createOpenAi(settings: ReachableProvider): ModelProvider {
  const byResponses = new Set<string>();
  return {
    name: 'openai',
    async call(model, request, live) {
      const client = openAiClient(settings, live);
      const hasTools = (request.tools ?? []).length > 0;
      if (hasTools && byResponses.has(model)) {
        return callResponses(client, model, request, live);
      }
      try {
        return await callChat(client, model, request, live);
      } catch (thrown) {
        if (!hasTools || !pointsToResponses(thrown)) {
          throw thrown;
        }
        byResponses.add(model);
        return callResponses(client, model, request, live);
      }
    },
  };
}

function pointsToResponses(thrown: unknown): boolean {
  const { status, message } = thrown as { status?: unknown; message?: unknown };
  return status === 400 && typeof message === 'string' && message.includes('/v1/responses');
}

function openAiClient(settings: ReachableProvider, live: LiveCall): OpenAI {
  return new OpenAI({
    apiKey: settings.apiKey,
    adminAPIKey: null,
    webhookSecret: null,
    baseURL: settings.baseUrl,
    maxRetries: 0,
    // The watchdog ends calls; the SDK's own limit must never be the shorter one.
    timeout: 24 * 60 * 60 * 1000,
    logLevel: 'off',
    fetch: guardedFetch({ egress: settings.egress, baseUrl: settings.baseUrl, onBytes: () => live.beat() }),
  });
}

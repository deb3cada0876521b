import { performance } from 'node:perf_hooks';
import { AppError } from '../../core/errors/app-error';
import type { Egress } from '../egress/egress';
import type * as AnthropicModule from './anthropic';
import { Mask } from '../secrets/mask';
import { modelName, noKeys, noModels, timedOut } from './errors';
import { maskedAnswer } from './masked-answer';
import type * as OpenAiModule from './openai';
import { providerEgress } from './provider-egress';
import { providerFailure, type ProviderFailure } from './provider-errors';
import { parseModelRef, providerSecrets, type LlmSettings, type ProviderSettings } from './settings';
import { startWatchdog, type Watchdog } from './watchdog';
import type { ModelClient, ModelCompletion, ModelProvider, ModelRef, ModelRequest, ProviderName } from './types';

/**
 * The configured models behind one interface. They are tried in order, each once, while they fail for a
 * reason that another model may not share. A model that asked to wait is not called until then.
 */
export function createModelClient(settings: LlmSettings, egress: Egress): ModelClient {
  return new FallbackClient(settings, egress);
}

/** The SDKs are loaded with the first call of their models: each takes 10 MB. */
const openAi = (): typeof OpenAiModule => require('./openai') as typeof OpenAiModule;
const anthropicOf = (): typeof AnthropicModule => require('./anthropic') as typeof AnthropicModule;

function atFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

type Tried = { done: ModelCompletion } | { failure: ProviderFailure };

class FallbackClient implements ModelClient {
  private readonly providers = new Map<ProviderName, () => ModelProvider>();
  private readonly mask: Mask;
  /** Model → clock time before which it asked not to be called. */
  private readonly closedUntil = new Map<string, number>();

  constructor(
    private readonly settings: LlmSettings,
    egress: Egress,
  ) {
    const { openai, anthropic } = settings;
    if (hasKey(openai)) {
      const reachable = { ...openai, egress: providerEgress(egress, openai) };
      this.providers.set(
        'openai',
        atFirstUse(() => openAi().createOpenAi(reachable)),
      );
    }
    if (hasKey(anthropic)) {
      const reachable = { ...anthropic, egress: providerEgress(egress, anthropic) };
      this.providers.set(
        'anthropic',
        atFirstUse(() => anthropicOf().createAnthropic(reachable)),
      );
    }
    this.mask = new Mask(providerSecrets(settings));
  }

  async complete(request: ModelRequest): Promise<ModelCompletion> {
    request.signal.throwIfAborted();
    const endsAt = performance.now() + request.deadline_ms;
    const failures: AppError[] = [];
    for (const ref of this.candidates(request)) {
      const closed = this.stillClosed(ref);
      if (closed !== undefined) {
        failures.push(closed);
        continue;
      }
      const tried = await this.tryModel(ref, request, endsAt);
      if ('done' in tried) {
        return tried.done;
      }
      failures.push(tried.failure.error);
      if (!tried.failure.tryNext || performance.now() >= endsAt) {
        break;
      }
    }
    throw summary(failures);
  }

  /** The preferred model, then the list; models without a key are passed over. */
  private candidates(request: ModelRequest): ModelRef[] {
    const preferred = request.prefer === undefined ? [] : [parseModelRef(request.prefer, 'params.model')];
    const names = new Set(preferred.map(modelName));
    const wanted = [...preferred, ...this.settings.models.filter((ref) => !names.has(modelName(ref)))];
    if (wanted.length === 0) {
      throw noModels();
    }
    const usable = wanted.filter((ref) => this.providers.has(ref.provider));
    if (usable.length === 0) {
      throw noKeys(wanted);
    }
    return usable;
  }

  private async tryModel(ref: ModelRef, request: ModelRequest, endsAt: number): Promise<Tried> {
    const tried = await this.attempt(ref, request, endsAt);
    const plain = request.json_schema !== undefined && 'failure' in tried && tried.failure.schemaUnsupported;
    if (!plain) {
      return tried;
    }
    // The server cannot enforce a schema; the prompt carries it too, and the answer is checked here anyway.
    const { json_schema: _unsupported, ...rest } = request;
    return this.attempt(ref, rest, endsAt);
  }

  private async attempt(ref: ModelRef, request: ModelRequest, endsAt: number): Promise<Tried> {
    const provider = (this.providers.get(ref.provider) as () => ModelProvider)();
    const settle = await request.onSend?.(ref);
    const startedAt = performance.now();
    const watchdog = startWatchdog({
      signal: request.signal,
      idleMs: this.settings.idleTimeoutMs,
      deadlineMs: endsAt - startedAt,
      onProgress: request.onProgress,
    });
    let tried: Tried;
    try {
      tried = { done: maskedAnswer(await provider.call(ref.model, request, watchdog), this.mask) };
    } catch (thrown) {
      tried = { failure: this.failureOf(thrown, ref, watchdog, performance.now() - startedAt) };
    } finally {
      watchdog.stop();
    }
    const outcome =
      'done' in tried
        ? outcomeOf(tried.done)
        : watchdog.verdict() === 'caller'
          ? 'cancelled'
          : tried.failure.error.code;
    const usage = 'done' in tried ? tried.done.usage : watchdog.usage;
    await settle?.({ ...ref, usage, outcome, latency_ms: Math.round(performance.now() - startedAt) });
    if ('failure' in tried && watchdog.verdict() === 'caller') {
      throw callerReason(request.signal, ref, performance.now() - startedAt);
    }
    return tried;
  }

  private failureOf(thrown: unknown, ref: ModelRef, watchdog: Watchdog, waitedMs: number): ProviderFailure {
    const verdict = watchdog.verdict();
    if (verdict === 'silent' || verdict === 'deadline') {
      return {
        error: timedOut(ref, waitedMs, verdict === 'silent'),
        tryNext: verdict === 'silent',
        schemaUnsupported: false,
      };
    }
    const failure = providerFailure(thrown, ref, this.mask);
    const wait = failure.error.details['retry_after_ms'];
    if (typeof wait === 'number') {
      this.closedUntil.set(modelName(ref), Date.now() + wait);
    }
    return failure;
  }

  private stillClosed(ref: ModelRef): AppError | undefined {
    const wait = (this.closedUntil.get(modelName(ref)) ?? 0) - Date.now();
    if (wait <= 0) {
      this.closedUntil.delete(modelName(ref));
      return undefined;
    }
    return rateLimited(modelName(ref), wait);
  }
}

function hasKey(settings: ProviderSettings): settings is ProviderSettings & { apiKey: string } {
  return settings.apiKey !== undefined;
}

function outcomeOf(completion: ModelCompletion): string {
  if (completion.stop_reason === 'length') {
    return 'truncated';
  }
  return completion.stop_reason === 'refusal' ? 'refused' : 'ok';
}

/** A cancel or a shutdown is not the model's failure: its reason goes on as it is. A bare time limit gets our code. */
function callerReason(signal: AbortSignal, ref: ModelRef, waitedMs: number): unknown {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'TimeoutError' ? timedOut(ref, waitedMs, false) : reason;
}

function rateLimited(name: string, waitMs: number): AppError {
  return new AppError(
    'rate_limited',
    `${name} asked to slow down; it may be called again in ${Math.ceil(waitMs / 1000)} s.`,
    {
      category: 'rate_limited',
      retryable: true,
      details: { model: name, retry_after_ms: Math.ceil(waitMs) },
    },
  );
}

/**
 * The error of a whole list of failed models. A failure that another try can cure counts first, and of several waits the
 * shortest: by then one model may be called again.
 */
function summary(failures: readonly AppError[]): AppError {
  const waits = failures.filter((error) => typeof error.details['retry_after_ms'] === 'number');
  const shortest = waits.sort((a, b) => Number(a.details['retry_after_ms']) - Number(b.details['retry_after_ms']))[0];
  const chosen = shortest ?? failures.findLast((error) => error.retryable) ?? failures.at(-1);
  if (chosen === undefined || failures.length === 1) {
    return chosen ?? noModels();
  }
  const others = failures.map((error) => ({
    model: error.details['model'] ?? null,
    code: error.code,
    message: error.message,
  }));
  return new AppError(chosen.code, `${chosen.message} (${failures.length} models were tried.)`, {
    category: chosen.category,
    retryable: chosen.retryable,
    details: { ...chosen.details, tried: others },
  });
}

import { AppError } from '../../core/errors/app-error';
import type { ModelFacts } from '../../core/validate/catalogue';
import { noKeys, noModels } from './errors';
import type { ModelRef, ProviderName } from './types';

export interface ProviderSettings {
  apiKey?: string;
  /** Requests go to this origin and below this path only. */
  baseUrl: string;
  /** The operator named it; it may then be a private address, for the calls of models alone. */
  isNamed?: boolean;
}

export interface LlmSettings {
  /** Models in the order of preference; empty = no model is configured. */
  models: ModelRef[];
  openai: ProviderSettings;
  anthropic: ProviderSettings;
  /** Longest time without an answer of a provider before the next model is tried. */
  idleTimeoutMs: number;
}

/** The part of the configuration that concerns models. */
export interface LlmConfig {
  models: readonly string[];
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
  anthropicApiKey?: string | undefined;
  anthropicBaseUrl?: string | undefined;
  llmIdleSeconds?: number | undefined;
}

const DEFAULT_OPENAI_URL = 'https://api.openai.com/v1';
export const DEFAULT_ANTHROPIC_URL = 'https://api.anthropic.com';
const DEFAULT_IDLE_SECONDS = 180;
const PROVIDERS: readonly string[] = ['openai', 'anthropic'];

/** Throws AppError `invalid_model_name`. */
export function llmSettings(config: LlmConfig): LlmSettings {
  return {
    models: config.models.map((entry) => parseModelRef(entry, 'AF_MODELS')),
    openai: provider(config.openaiApiKey, config.openaiBaseUrl, DEFAULT_OPENAI_URL),
    anthropic: provider(config.anthropicApiKey, config.anthropicBaseUrl, DEFAULT_ANTHROPIC_URL),
    idleTimeoutMs: (config.llmIdleSeconds ?? DEFAULT_IDLE_SECONDS) * 1000,
  };
}

/** Models that a step can call, known without calling one. */
export function modelFacts(config: LlmConfig): ModelFacts {
  const { models, ...settings } = llmSettings(config);
  const providers = (['openai', 'anthropic'] as const).filter((name) => settings[name].apiKey !== undefined);
  if (models.length === 0) return { fault: noModels().message, providers };
  return models.some((ref) => providers.includes(ref.provider))
    ? { providers }
    : { fault: noKeys(models).message, providers };
}

/** A shorter one is a placeholder such as `none`, and a word of many answers. */
const SHORTEST_KEY = 8;

/** Texts that no answer, error or log may show: the keys, and addresses that carry a password. */
export function providerSecrets({ openai, anthropic }: Pick<LlmSettings, ProviderName>): string[] {
  return [openai, anthropic].flatMap(({ apiKey = '', baseUrl }) => [
    ...(apiKey.length >= SHORTEST_KEY ? [apiKey] : []),
    ...(URL.parse(baseUrl)?.password ? [baseUrl] : []),
  ]);
}

function provider(apiKey: string | undefined, named: string | undefined, usual: string): ProviderSettings {
  return {
    baseUrl: named ?? usual,
    isNamed: named !== undefined,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

/** `openai/gpt-x` → ref; a model's own name may contain slashes. */
export function parseModelRef(text: string, where: string): ModelRef {
  const slash = text.indexOf('/');
  const name = text.slice(0, Math.max(slash, 0));
  const model = text.slice(slash + 1).trim();
  if (slash < 1 || model === '' || !PROVIDERS.includes(name)) {
    throw new AppError(
      'invalid_model_name',
      `${where}: "${text}" is no model. Expected provider/model with provider openai or anthropic, for example anthropic/claude-sonnet-5-5.`,
      { category: 'bad_request', details: { value: text, where } },
    );
  }
  return { provider: name as ProviderName, model };
}

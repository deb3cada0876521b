import { shorten } from '../../core/base/shorten';
import type { Json, JsonObject } from '../../core/base/json';
import { AppError, type ErrorCategory } from '../../core/errors/app-error';
import type { ModelRef, ProviderName } from './types';

const KEY_SETTING: Record<ProviderName, string> = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' };
const EXCERPT_CHARS = 2000;

export function modelName(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

export function noModels(): AppError {
  return new AppError(
    'model_not_configured',
    'No model is configured. Set AF_MODELS to provider/model (several in the order of preference, separated by commas) and OPENAI_API_KEY or ANTHROPIC_API_KEY.',
    { category: 'bad_request', details: { settings: ['AF_MODELS', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'] } },
  );
}

/** Every listed model lacks the key of its provider. */
export function noKeys(refs: readonly ModelRef[]): AppError {
  const settings = [...new Set(refs.map((ref) => KEY_SETTING[ref.provider]))];
  const names = refs.map(modelName).join(', ');
  return new AppError(
    'model_not_configured',
    `There is no key for ${names}. Set ${settings.join(' or ')}, or name other models in AF_MODELS.`,
    { category: 'bad_request', details: { settings: [...settings, 'AF_MODELS'] } },
  );
}

export function truncated(ref: ModelRef, maxTokens: number | undefined, text: string): AppError {
  const limit = maxTokens === undefined ? 'its limit of output' : `the limit of ${maxTokens} output tokens`;
  return llmError(
    'llm_truncated',
    `${modelName(ref)} was cut off: the answer reached ${limit}. Raise params.max_tokens, or ask for less.`,
    ref,
    {
      category: 'upstream',
      details: { answer: excerpt(text) },
    },
  );
}

export function refused(ref: ModelRef, text: string): AppError {
  return llmError(
    'llm_refused',
    `${modelName(ref)} refused the task. Change the instructions or the data, or prefer another model in params.model.`,
    ref,
    {
      category: 'upstream',
      details: text === '' ? {} : { refusal: excerpt(text) },
    },
  );
}

export function empty(ref: ModelRef): AppError {
  return llmError('llm_empty', `${modelName(ref)} answered with nothing, twice.`, ref, {
    category: 'upstream',
    retryable: true,
  });
}

export function invalidOutput(ref: ModelRef, problems: readonly Json[], text: string): AppError {
  return llmError(
    'llm_invalid_output',
    `${modelName(ref)} gave an answer that does not fit output_schema, also after it was told what is wrong with it.`,
    ref,
    { category: 'upstream', retryable: true, details: { problems: [...problems], answer: excerpt(text) } },
  );
}

export function timedOut(ref: ModelRef, waitedMs: number, silent: boolean): AppError {
  const what = silent ? 'sent nothing for' : 'did not finish within';
  return llmError('llm_timeout', `${modelName(ref)} ${what} ${Math.round(waitedMs / 100) / 10} s.`, ref, {
    category: 'timeout',
    retryable: true,
    details: { waited_ms: Math.round(waitedMs) },
  });
}

interface LlmErrorOptions {
  category: ErrorCategory;
  retryable?: boolean;
  details?: JsonObject;
}

export function llmError(code: string, message: string, ref: ModelRef, options: LlmErrorOptions): AppError {
  return new AppError(code, message, { ...options, details: { model: modelName(ref), ...options.details } });
}

/** The beginning of a model's answer, for the details of an error. */
export function excerpt(text: string): string {
  return shorten(text, EXCERPT_CHARS);
}

import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../core/base/json';
import { endpointEffect } from '../../core/connector/find-endpoint';
import { learnSchema } from '../../core/connector/learn-schema';
import type { ConnectorDefinition, EndpointEffect, EndpointSchema } from '../../core/connector/types';
import type { StepError } from '../../core/errors/app-error';
import { AppError, toStepError } from '../../core/errors/app-error';
import { callEndpoint } from '../call/call-endpoint';
import type { CallHooks } from '../hooks/hook-types';
import type { Mask } from '../../infra/secrets/mask';
import { SourceWait } from '../runtime/limits/source-wait';
import { noWaitLedger } from '../call/call-ledger';
import type { ConnectorCall, ConnectorServices, EndpointResult } from '../call/connector-call';
import { prepareCall } from '../call/prepare-call';
import type { SecretGuard } from '../call/secret-guard';
import type { SecretSource } from '../../infra/secrets/secret-source';
import { firstRecords, shownFields, type LeftOut } from './bounded';
import { groupsOf, type ShownGroup } from './groups';
import { Recording } from './recording';
import { excerptOf, maskOf, shownRequest, textMask } from './shown';
import type { ShownRequest } from './shown';
import { OwnerSlots } from './owner-slots';
import { missingFields } from './missing-fields';
import type { MissingField } from './missing-fields';

/** Time limits of a test: a person waits for it, and a running statement costs its database. */
export const TRIAL_MS = { database: 10_000, other: 30_000 };

export interface Trial {
  ownerId: string;
  definition: ConnectorDefinition;
  endpoint: string;
  inputs: JsonObject;
  /** False: only reading endpoints are called. */
  allowEffects: boolean;
  guard: SecretGuard;
  hooks: CallHooks;
}

export interface TrialReport {
  ok: boolean;
  effect: EndpointEffect;
  /** The last request that left; absent when none did. */
  request?: ShownRequest;
  /** Requests and statements that left, one for each page and attempt. */
  requests: number;
  status?: number;
  timing: { total_ms: number; source_ms: number };
  /** Beginning of the last answer as it came. */
  excerpt?: string;
  records: Json[];
  count: number;
  /** Lists that files are read into beside their own records; absent where the endpoint has none. */
  groups?: ShownGroup[];
  /** Fields of the result beside its records. */
  metadata: JsonObject;
  /** Parts of the result that are left out here; empty when all of it is shown. */
  left_out: LeftOut[];
  schema?: EndpointSchema;
  missing: MissingField[];
  error?: StepError;
}

/** Calls of single endpoints outside of any run, in the way that runs make them. */
export class EndpointTrials {
  private readonly slots = new OwnerSlots();

  constructor(
    private readonly services: ConnectorServices,
    private readonly secrets: SecretSource,
    private readonly limits = TRIAL_MS,
  ) {}

  /**
   * Calls the endpoint; the answer has what the source reports. Throws faults of the caller: `endpoint_not_found`,
   * `invalid_input`, `effects_not_allowed`, `action_needs_run`, `egress_denied`, `secret_not_found`, `rate_limited`,
   * `too_many_tests`, and those of `guard`.
   */
  async run(trial: Trial): Promise<TrialReport> {
    const effect = effectOf(trial);
    // An action with an effect needs a run, whatever is allowed: its call says so.
    const isAction = trial.definition.type === 'existing_tool';
    if (effect !== 'none' && !trial.allowEffects && !isAction) throw notAllowed(trial, effect);
    return this.slots.with(trial.ownerId, () => this.call(trial, effect));
  }

  private async call(trial: Trial, effect: EndpointEffect): Promise<TrialReport> {
    const recording = new Recording(tokenAddresses(trial.definition));
    const began = performance.now();
    const outcome = await this.outcome(trial, recording);
    const totalMs = Math.round(performance.now() - began);
    const mask = maskOf(recording.secrets, recording.exchanges);
    const times = [...recording.exchanges.map(({ ms }) => ms), ...recording.statements];
    const result = (mask.json(outcome.result) ?? {}) as EndpointResult;
    const { results, count: counted, ...beside } = result;
    const records = Array.isArray(results) ? results : [];
    const count = typeof counted === 'number' ? counted : records.length;
    const { groups, rest } = groupsOf(trial.definition, trial.endpoint, beside);
    const shown = firstRecords(records);
    const metadata = shownFields(rest);
    return {
      ok: outcome.error === undefined,
      effect,
      requests: recording.exchanges.reduce((sum, { left }) => sum + left, recording.statements.length),
      timing: { total_ms: totalMs, source_ms: times.reduce((sum, ms) => sum + ms, 0) },
      records: shown,
      count,
      ...(groups.length === 0 ? {} : { groups }),
      metadata: metadata.shown,
      left_out: [
        ...cutRows({ part: 'records', shown: shown.length, of: count }),
        ...groups.flatMap((group) =>
          cutRows({ part: `groups.${group.name}`, shown: group.records.length, of: group.count }),
        ),
        ...metadata.leftOut,
      ],
      missing: missingFields(trial.definition, trial.endpoint, records),
      ...lastShown(recording, mask),
      ...(records.length === 0 ? {} : { schema: learnSchema(records) }),
      ...(outcome.error === undefined
        ? {}
        : { error: mask.json(outcome.error as unknown as Json) as unknown as StepError }),
    };
  }

  private async outcome(trial: Trial, recording: Recording): Promise<{ result: JsonObject | null; error?: StepError }> {
    const wholeMs = trial.definition.type === 'database' ? this.limits.database : this.limits.other;
    const signal = AbortSignal.timeout(wholeMs);
    try {
      const call = this.prepared(trial, recording, { timeoutMs: wholeMs, signal });
      return { result: await callEndpoint(recording.watched(call)) };
    } catch (error) {
      if (signal.aborted && !(error instanceof AppError)) return { result: null, error: tooLong(wholeMs) };
      return { result: null, error: toStepError(reported(error)) };
    }
  }

  private prepared(
    trial: Trial,
    recording: Recording,
    time: Pick<ConnectorCall, 'timeoutMs' | 'signal'>,
  ): ConnectorCall {
    const { definition, endpoint: name, inputs, ownerId, hooks } = trial;
    return prepareCall(this.services, {
      ...time,
      definition,
      name,
      inputs,
      versionId: undefined,
      ownerId,
      secretOwner: ownerId,
      effectKey: `test/${randomUUID()}`,
      now: undefined,
      beforeEffect: () => (trial.allowEffects ? Promise.resolve() : Promise.reject(notAllowed(trial, 'unsafe'))),
      resume: undefined,
      secrets: recording.secretSource(trial.guard(this.secrets)),
      hooks,
      ledger: noWaitLedger(),
    });
  }
}

function cutRows(rows: LeftOut & { of: number }): LeftOut[] {
  return rows.shown < rows.of ? [rows] : [];
}

/** The last request and what came back for it. */
function lastShown(recording: Recording, mask: Mask): Pick<TrialReport, 'request' | 'status' | 'excerpt'> {
  const last = recording.exchanges.at(-1);
  if (last === undefined) return {};
  const text = textMask(mask, last);
  const request = shownRequest(last, text);
  if (last.response === undefined) return { request };
  return { request, status: last.response.status, excerpt: excerptOf(last.response.body, text) };
}

function tooLong(ms: number): StepError {
  const message = `The test has waited ${ms / 1000} seconds; a step of a run may be given more.`;
  return { code: 'test_timeout', message, category: 'timeout', retryable: true };
}

/** Failure of the source as part of the report; a fault of the request is thrown to the caller. */
function reported(error: unknown): AppError {
  if (error instanceof SourceWait) throw rateLimited(error.message, (error.until - Date.now()) / 1000);
  if (!(error instanceof AppError)) throw error;
  if (error.category === 'rate_limited') {
    throw rateLimited(error.message, Number(error.details['retry_after_seconds'] ?? error.details['retry_after'] ?? 5));
  }
  if (error.category === 'upstream' || error.category === 'timeout' || error.category === 'too_large') return error;
  throw error;
}

function rateLimited(message: string, seconds: number): AppError {
  const wait = Math.max(1, Math.ceil(Number.isFinite(seconds) ? seconds : 5));
  return new AppError('rate_limited', `${message} A test does not wait.`, {
    category: 'rate_limited',
    retryable: true,
    details: { retry_after: wait },
  });
}

/** Effect of an endpoint; a registered action that writes our own rows counts as one with any other effect. */
function effectOf({ definition, endpoint }: Trial): EndpointEffect {
  const effect = endpointEffect(definition, endpoint);
  return effect === 'transactional' ? 'idempotent' : effect;
}

function notAllowed({ definition, endpoint }: Trial, effect: EndpointEffect): AppError {
  return new AppError(
    'effects_not_allowed',
    `The endpoint \`${definition.id}.${endpoint}\` may change something outside (effect \`${effect}\`). Send \`allow_effects: true\` to call it all the same.`,
    { category: 'forbidden', details: { effect } },
  );
}

function tokenAddresses(definition: ConnectorDefinition): string[] {
  const auth = 'auth' in definition.connection ? definition.connection.auth : undefined;
  return auth?.type === 'oauth2_client_credentials' ? [auth.token_url] : [];
}

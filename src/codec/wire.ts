import type { Payload } from '@temporalio/common';
import { AppError } from '../../core/errors/app-error';
import { isJsonObject, ownField, type Json } from '../../core/base/json';

/** A payload in the JSON form of Protocol Buffers: bytes are base64. */
export interface WirePayload {
  metadata: Record<string, string>;
  data: string;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export function fromWire(value: Json, index: number): Payload {
  if (!isJsonObject(value)) throw invalid(index);
  const metadata = ownField(value, 'metadata') ?? {};
  if (!isJsonObject(metadata)) throw invalid(index);
  const names = Object.keys(metadata);
  return {
    metadata: Object.fromEntries(names.map((name) => [name, bytes(ownField(metadata, name), index)])),
    data: bytes(ownField(value, 'data') ?? '', index),
  };
}

export function toWire(payload: Payload): WirePayload {
  return {
    metadata: Object.fromEntries(Object.entries(payload.metadata ?? {}).map(([name, value]) => [name, base64(value)])),
    data: base64(payload.data ?? new Uint8Array()),
  };
}

function bytes(value: Json | undefined, index: number): Buffer {
  if (typeof value !== 'string' || !BASE64.test(value)) throw invalid(index);
  return Buffer.from(value, 'base64');
}

/** A decoded message that came without bytes has an empty list of numbers in their place. */
function base64(value: ArrayLike<number>): string {
  return Buffer.from(value).toString('base64');
}

function invalid(index: number): AppError {
  return new AppError(
    'invalid_payload',
    `payloads[${index}] is no payload. Expected {"metadata": {"encoding": base64, …}, "data": base64}.`,
    { category: 'bad_request' },
  );
}

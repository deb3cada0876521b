import {
  DefaultPayloadConverter,
  type ConverterHint,
  type Payload,
  type SerializationContext,
} from '@temporalio/common';

/** Metadata of a payload that stays in this process. */
const STAYS_HERE = 'af-stays-here';
const YES = new Uint8Array();

/**
 * Marks what a workflow gives to its local activities: the worker hands it from one thread to another, no history and no
 * server gets it, so it needs neither encryption nor a place outside. What they answer stands in the history, and is not marked:
 * this converter is part of the workflow bundle alone. Neither is a summary (a text), which the history holds as well.
 */
class LocalArguments extends DefaultPayloadConverter {
  override toPayload<T>(value: T, context?: SerializationContext, hint?: ConverterHint<T>): Payload {
    const payload = super.toPayload(value, context, hint);
    if (!isLocal(context) || typeof value !== 'object') return payload;
    return { ...payload, metadata: { ...payload.metadata, [STAYS_HERE]: YES } };
  }
}

function isLocal(context: SerializationContext | undefined): boolean {
  return context?.type === 'activity' && context.isLocal;
}

/** Requires both: a mark that comes from elsewhere opens nothing. */
export function staysHere({ metadata }: Payload, context: SerializationContext | undefined): boolean {
  return isLocal(context) && metadata?.[STAYS_HERE] !== undefined;
}

export const payloadConverter = new LocalArguments();

import type { Action, ActionTable } from '../../activities/actions/types';
import { isJsonObject, type Json } from '../../core/base/json';
import { largeDocument } from '../documents';

const addField: Action = async ({ inputs }) => {
  const document = inputs['document'];
  const field = inputs['field'] as string;
  const value: Json = inputs['value'] ?? null;
  return { output: { document: { ...(isJsonObject(document) ? document : {}), [field]: value } } };
};

const makeDocument: Action = async ({ inputs }) => ({
  output: { document: largeDocument(Number(inputs['no']), Number(inputs['records'])) },
});

export const BENCH_ACTIONS: ActionTable = {
  bench_step: addField,
  bench_step_short: addField,
  bench_document: makeDocument,
};

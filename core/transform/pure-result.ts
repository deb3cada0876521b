import type { Json } from '../base/json';

/** What a pure action gives, or why it cannot. */
export type PureResult = { ok: true; output: Json } | { ok: false; code: string; message: string };

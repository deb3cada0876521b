import type { Json } from '../base/json';

/** Result of a pure action, or the reason why there is none. */
export type PureResult = { ok: true; output: Json } | { ok: false; code: string; message: string };

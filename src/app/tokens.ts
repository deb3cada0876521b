/** What Nest injects where the type is an interface. */
export const GATEWAY = Symbol('RunGateway');
export const CONFIG = Symbol('ApiConfig');
export const LOG = Symbol('Log');

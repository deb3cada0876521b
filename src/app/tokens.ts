/** Injection tokens of interfaces. */
export const GATEWAY = Symbol('RunGateway');
export const BLOBS = Symbol('BlobStore');
export const SETTINGS = Symbol('ApiSettings');
export const LOG = Symbol('ApiLog');
export const WELCOME = Symbol('Welcome');

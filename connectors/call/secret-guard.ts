import type { SecretSource } from '../../infra/secrets/secret-source';

/** Lets secrets of one call out only where their owner has agreed to. */
export type SecretGuard = (secrets: SecretSource) => SecretSource;

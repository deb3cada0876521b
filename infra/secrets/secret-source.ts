export interface ResolvedSecret {
  /** Owner's name of the secret where a binding remaps it; undefined = the requested name. */
  name?: string;
  value: string;
  /** Hosts that it may be sent to; enforced by the egress guard. */
  allowedHosts: readonly string[];
  /** Changes when the value does. */
  version?: string;
  /** Owner of the secret where that is not the caller: limits of the source count for them. */
  ownerId?: string;
}

/** Values of an owner's secrets. Throws AppError `secret_not_found` with the name and where to put it. */
export interface SecretSource {
  resolve(ownerId: string, name: string): Promise<ResolvedSecret>;
}

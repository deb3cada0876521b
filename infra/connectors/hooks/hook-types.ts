export interface AuditedCall {
  ownerId: string;
  connector: string;
  endpoint: string;
  effectKey: string;
  succeeded: boolean;
}

/** What the built-in hooks consult. What is absent is not consulted. */
export interface CallHooks {
  audit?: (call: AuditedCall) => Promise<void>;
}

import { ExportVerifier } from '../../infra/decisions/verify-export';

/** The first fault that the offline check finds in these entries of the log; `not_signed`: only the signature that an export adds is missing. */
export function chainFault(ownerId: string, log: readonly object[]): string | undefined {
  const verifier = new ExportVerifier();
  verifier.take(JSON.stringify({ kind: 'export', format: 1, owner_id: ownerId }));
  for (const entry of log) verifier.take(JSON.stringify({ kind: 'entry', ...entry }));
  const found = verifier.finish();
  return found.ok ? undefined : found.fault.code;
}

import { checkSeen, type SeenVersion } from '../../infra/db/row-version';

/** Version of an object that never changes until it ends: a key, a session, an invitation. Throws what `checkSeen` throws. */
export function checkOnlyVersion(id: string, seen: SeenVersion): void {
  checkSeen({ id, row_version: 1 }, seen);
}

import type { Bucket } from '../../../infra/db/stores/connector-limits.store';

/** Key of a bucket in this process: owners of a common bucket hold their shares apart. */
export function bucketKey({ key, ownerId }: Bucket): string {
  return `${key}/${ownerId}`;
}

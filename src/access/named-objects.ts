import type { FastifyRequest } from 'fastify';
import { isUuid } from '../http/ids';

/** Chosen by the client: names no object of ours. */
const OWN = 'decisionId';

/** Ids that a request names: in its path, its query, and the fields of its body. */
export function namedObjects(request: FastifyRequest): string[] {
  const places = [request.params, request.query, request.body];
  const fields = places.flatMap((place) =>
    typeof place === 'object' && place !== null && !Buffer.isBuffer(place)
      ? (Object.entries(place) as [string, unknown][])
      : [],
  );
  return fields
    .flatMap(([name, value]) => (name !== OWN && typeof value === 'string' && isUuid(value) ? [value] : []))
    .map((id) => id.toLowerCase());
}

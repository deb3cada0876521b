import type { FastifyRequest } from 'fastify';
import { isUuid } from '../../core/base/uuid';

/** Field that the client chooses freely: it names no object of ours. */
const OWN = 'decisionId';

/** Fields of bodies that also take a slug. A key's list holds ids, so such a key must name these by id. */
const BY_SLUG = new Set(['playbook', 'connector', 'skill_reference']);

/** Other fields may hold any text: one that looks like an id makes no object of a request. */
const OF_OBJECTS = /(?:^id|_id|Id)$|^(?:run|folder|parent|profile|team|playbook|connector|skill_reference)$/;

/**
 * Ids that a request names: in its path, its query, and the fields of its body. None where the path names its object in
 * another way, or only the query has an id: a filter makes no object of a list.
 */
export function namedObjects(request: FastifyRequest): string[] {
  const path = fieldsOf(request.params);
  const inPath = namesIn(path);
  const body = fieldsOf(request.body);
  const inBody = namesIn(body.filter(([name]) => OF_OBJECTS.test(name)));
  if ((path.length === 0 ? inBody : inPath).length === 0) return [];
  return [...inPath, ...namesIn(body), ...namesIn(fieldsOf(request.query))].map((id) => id.toLowerCase());
}

function fieldsOf(place: unknown): [string, unknown][] {
  return typeof place === 'object' && place !== null && !Buffer.isBuffer(place) ? Object.entries(place) : [];
}

/** A parameter of a query that is given twice is a list. */
function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

function namesIn(fields: [string, unknown][]): string[] {
  return fields
    .filter(([name]) => name !== OWN)
    .flatMap(([name, value]) => textsOf(value).filter((text) => isUuid(text) || BY_SLUG.has(name)));
}

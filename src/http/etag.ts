import { createHash } from 'node:crypto';
import { AppError } from '../../core/errors/app-error';
import { versionTag, type SeenVersion, type VersionedRow } from '../../infra/db/row-version';

/** A body with the version of the row that it shows: what `versioned` makes, the interceptor turns into body and `ETag`. */
export class VersionedBody<Body> {
  constructor(
    readonly body: Body,
    readonly etag: string,
  ) {}
}

/** The answer of a handler that shows one row: `return versioned(viewOf(row), row)`. */
export function versioned<Body>(body: Body, row: VersionedRow): VersionedBody<Body> {
  return new VersionedBody(body, etagOf(row));
}

function etagOf(row: VersionedRow): string {
  return `"${versionTag(row)}"`;
}

/** Tag of answers made of many rows: the same text gets the same tag. */
export function etagOfText(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

const MOST_TAGS = 20;
const TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;

/** Reads `If-Match`: only strong tags can match. Throws `invalid_precondition`. */
export function seenVersion(header: string | undefined): SeenVersion {
  if (header === undefined) return 'unsaid';
  if (header.trim() === '*') return 'any';
  const tags = tagsOf(header);
  if (tags === undefined) {
    throw new AppError(
      'invalid_precondition',
      `If-Match takes * or up to ${MOST_TAGS} ETags in quotes, as an answer gave them: "3-0f8fad5b-…".`,
      { category: 'bad_request' },
    );
  }
  return tags.filter(({ weak }) => !weak).map(({ tag }) => tag);
}

/**
 * Tells whether `If-None-Match` names this tag; weak tags match, too (RFC 9110, 13.1.2). Unreadable values match
 * nothing.
 */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (tagsOf(header) ?? []).some(({ tag }) => `"${tag}"` === etag);
}

function tagsOf(header: string): { weak: boolean; tag: string }[] | undefined {
  const tags: { weak: boolean; tag: string }[] = [];
  for (const part of header.split(',')) {
    const match = TAG.exec(part.trim());
    if (match === null || tags.length === MOST_TAGS) return undefined;
    tags.push({ weak: match[1] !== undefined, tag: match[2] ?? '' });
  }
  return tags;
}

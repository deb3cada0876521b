import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error';
import { parseJsonBody } from './json-body';
import { MultipartBody } from './multipart-body';

/** Room for a playbook of 5 MB that is refused with its own words, and a run's inputs of 6 MB. */
export const JSON_BODY_LIMIT = 8 * 1024 * 1024;

/** Bytes of a form beside its file: boundaries, heads, a name. */
const FORM_ROOM = 64 * 1024;

/** JSON everywhere, raw bytes and forms for uploads; every other type is refused with 415. */
export function installBodyParsers(server: FastifyInstance, maxUploadBytes: number): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: JSON_BODY_LIMIT },
    (request, body, done) => {
      try {
        requireUtf8(request.headers['content-type']);
        // A POST without a body (cancel, pause) may still name its type.
        done(null, body.length === 0 ? undefined : parseJsonBody(body as Buffer));
      } catch (error) {
        done(error as Error, undefined);
      }
    },
  );
  server.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: maxUploadBytes },
    (_request, body, done) => done(null, body),
  );
  server.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: maxUploadBytes + FORM_ROOM },
    ({ headers }, body, done) =>
      done(null, new MultipartBody(headers['content-type'] ?? '', body as Buffer, maxUploadBytes)),
  );
}

function requireUtf8(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new HttpError(415, 'unsupported_charset', 'JSON is read as UTF-8 only.');
  }
}

import { AppError } from '../../core/errors/app-error';
import { tooLarge } from './known-errors';

/** One field of a form, as it was sent. */
export interface FormPart {
  field: string;
  /** Absent: a text field. A browser sends an empty one where no file was chosen. */
  filename?: string;
  content: Buffer;
}

/** Limits above the fields of any route, and the heads of any client. */
const MAX_PARTS = 20;
const MAX_HEAD = 8 * 1024;
/** RFC 2046, section 5.1.1, without the space. */
const BOUNDARY = /;\s*boundary=(?:"([0-9A-Za-z'()+_,\-./:=? ]{1,70})"|([0-9A-Za-z'()+_,\-./:=?]{1,70}))\s*(?:;|$)/i;
const PARAMETER = /;\s*([A-Za-z*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))/g;
const CRLF = '\r\n';

/**
 * A body of `multipart/form-data` (RFC 7578). It is taken apart when the route that takes it asks, once. Why not by a library:
 * docs/decisions/0029.
 */
export class MultipartBody {
  private taken?: readonly FormPart[];

  constructor(
    private readonly contentType: string,
    private readonly raw: Buffer,
    /** Size of one part. */
    private readonly maxBytes: number,
  ) {}

  /** Throws `invalid_multipart`, `payload_too_large`. */
  parts(): readonly FormPart[] {
    this.taken ??= partsOf(this.raw, boundaryOf(this.contentType));
    if (this.taken.some(({ content }) => content.length > this.maxBytes)) throw tooLarge();
    return this.taken;
  }
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = (quoted ?? plain ?? '').trimEnd();
  return boundary === ''
    ? refuse('Content-Type has to name its boundary; leave the header to your HTTP client')
    : boundary;
}

function partsOf(raw: Buffer, boundary: string): FormPart[] {
  const parts: FormPart[] = [];
  let at = delimiterAfter(raw, boundary, -1);
  if (at === undefined) refuse('no part begins with the boundary that Content-Type names');
  while (at !== undefined && !at.last) {
    if (parts.length === MAX_PARTS) refuse(`it has more than ${MAX_PARTS} parts`);
    const next = delimiterAfter(raw, boundary, at.end - CRLF.length);
    if (next === undefined) refuse('it ends before its closing boundary: something of it was lost on the way');
    parts.push(partOf(raw.subarray(at.end, next.start), parts.length + 1));
    at = next;
  }
  return parts;
}

interface Delimiter {
  start: number;
  end: number;
  last: boolean;
}

/** The next line that is a boundary. A line that only begins like one is content. */
function delimiterAfter(raw: Buffer, boundary: string, from: number): Delimiter | undefined {
  const mark = Buffer.from(`${CRLF}--${boundary}`);
  const first = mark.subarray(CRLF.length);
  let start =
    from < 0 && raw.subarray(0, first.length).equals(first) ? -CRLF.length : raw.indexOf(mark, Math.max(from, 0));
  for (; start !== -1; start = raw.indexOf(mark, start + mark.length)) {
    const last = raw.subarray(start + mark.length, start + mark.length + 2).equals(Buffer.from('--'));
    let end = start + mark.length + (last ? 2 : 0);
    while (raw[end] === 0x20 || raw[end] === 0x09) end += 1;
    const isLine = raw.subarray(end, end + 2).equals(Buffer.from(CRLF));
    // Some clients write no line end, or a short one, behind the last boundary.
    if (isLine || (last && (end >= raw.length || raw[end] === 0x0a))) return { start, end: end + 2, last };
  }
  return undefined;
}

function partOf(part: Buffer, number: number): FormPart {
  const where = `part ${number}`;
  // A part without content may end with its head.
  const end = part.subarray(0, MAX_HEAD).indexOf(CRLF + CRLF);
  if (end < 0) refuse(`${where} has no head of less than ${MAX_HEAD} bytes that ends with an empty line`);
  const head = headersOf(part.subarray(0, end), where);
  const encoding = head.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!['binary', '8bit', '7bit'].includes(encoding))
    refuse(`${where} is encoded (${encoding}); send the bytes as they are`);
  const disposition = head.get('content-disposition') ?? '';
  if (!/^form-data\s*(;|$)/i.test(disposition)) refuse(`${where} has no "Content-Disposition: form-data"`);
  const { name, filename } = parametersOf(disposition);
  if (name === undefined) refuse(`${where} has no name`);
  return { field: name, ...(filename === undefined ? {} : { filename }), content: part.subarray(end + 4) };
}

function headersOf(head: Buffer, where: string): Map<string, string> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(head);
  } catch {
    refuse(`the head of ${where} is not UTF-8`);
  }
  return new Map(
    text.split(CRLF).map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) refuse(`${where} has a line in its head that is no header`);
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function parametersOf(disposition: string): { name?: string; filename?: string } {
  const found = new Map<string, string>();
  for (const [, key = '', quoted, plain] of disposition.matchAll(PARAMETER)) {
    const value = quoted === undefined ? (plain ?? '') : unquote(quoted);
    if (!found.has(key.toLowerCase())) found.set(key.toLowerCase(), value);
  }
  const name = found.get('name');
  const filename = extended(found.get('filename*')) ?? found.get('filename');
  return { ...(name === undefined ? {} : { name }), ...(filename === undefined ? {} : { filename }) };
}

/** Browsers write `%22`, `%0D` and `%0A` (WHATWG HTML); other clients put a backslash before a quote. */
function unquote(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0d/gi, '\r')
    .replace(/%0a/gi, '\n');
}

/** `UTF-8''name` (RFC 8187), which RFC 7578 does not ask for, and some clients send. */
function extended(text: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return refuse('a filename* is not correctly percent-encoded');
  }
}

function refuse(why: string): never {
  throw new AppError('invalid_multipart', `The body is no form of multipart/form-data: ${why}.`, {
    category: 'bad_request',
  });
}

import { AppError } from '../../core/errors/app-error';

const TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Names that mean a device on Windows, with any ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A plain file name, whatever it is later stored or downloaded as. Throws `invalid_name`. */
export function checkDocumentName(name: string, what: 'document' | 'folder' = 'document'): string {
  // eslint-disable-next-line no-control-regex
  const clean = !/[\p{Cs}/\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/u.test(name);
  if (!clean || /^\.*$/.test(name.trim()) || DEVICE.test(name)) {
    throw new AppError(
      'invalid_name',
      `A ${what} needs a plain name: no path, no control characters, no device name.`,
      {
        category: 'bad_request',
        problems: [
          {
            severity: 'error',
            code: 'invalid_name',
            field: 'name',
            message: 'Expected a file name such as filing.xml.',
          },
        ],
      },
    );
  }
  return name;
}

/** Decides by the ending alone; contents are never guessed. */
export function mediaTypeOf(name: string): string {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, ending) ? (TYPES[ending] ?? '') : 'application/octet-stream';
}

/** Always an attachment. The plain form is for old clients, the other one (RFC 8187) carries every letter. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.replace(/\p{Cs}/gu, '_')).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

import { isUtf8 } from 'node:buffer';
import { AppError } from '../../core/errors/app-error';
import { MultipartBody, type FormPart } from '../http/multipart-body';
import { validated, invalidRequest, problem } from '../http/validation';
import { UploadFormDto, type UploadQuery } from './dto/document.dto';

export interface Upload {
  name: string;
  folder?: string;
  bytes: Buffer;
}

/** Reads an upload, as bytes or in a form. Throws `invalid_request`, `invalid_multipart`, `empty_document`. */
export function uploadOf(query: UploadQuery, body: unknown): Upload {
  const form: Form =
    body instanceof MultipartBody ? ofForm(body.parts()) : Buffer.isBuffer(body) ? { bytes: body } : {};
  const { bytes } = form;
  const folder = once('folder', query.folder, form.folder);
  const name = once('name', query.name, form.name) ?? form.own;
  if (name === undefined) {
    throw invalidRequest([problem('name', 'missing', 'name is missing: the document needs a file name')]);
  }
  if (bytes === undefined || bytes.length === 0) {
    const message =
      'The document is empty. Send its bytes (application/octet-stream), or a form with the field `file`.';
    throw new AppError('empty_document', message, { category: 'bad_request' });
  }
  return { name, bytes, ...(folder === undefined ? {} : { folder }) };
}

interface Form {
  bytes?: Buffer;
  name?: string;
  folder?: string;
  /** The name that the file itself is sent with. */
  own?: string;
}

function ofForm(parts: readonly FormPart[]): Form {
  const fields = parts.map(({ field }) => field);
  const twice = fields.find((field, at) => fields.indexOf(field) !== at);
  if (twice !== undefined) {
    const advice = twice === 'file' ? ': one document a request; send the others in requests of their own' : '';
    throw invalidRequest([problem(twice, 'repeated', `The form has the field \`${twice}\` more than once${advice}.`)]);
  }
  const chosen = parts.filter(({ filename }) => filename !== '');
  const form = validated(UploadFormDto, Object.fromEntries(chosen.map((part) => [part.field, valueOf(part)])));
  const own = chosen.find(({ field }) => field === 'file')?.filename;
  const { name, folder } = form;
  return {
    bytes: form.file as Buffer,
    ...(name === undefined ? {} : { name }),
    ...(folder === undefined ? {} : { folder }),
    ...(own === undefined ? {} : { own: own.replace(/^.*[/\\]/s, '') }),
  };
}

/** A file sent as another field keeps its bytes, which are no text: it is refused there. */
function valueOf({ field, filename, content }: FormPart): Buffer | string {
  if (field === 'file' || filename !== undefined) return content;
  if (!isUtf8(content)) throw invalidRequest([problem(field, 'encoding', `${field} is no text in UTF-8`)]);
  return content.toString('utf8');
}

function once(field: string, inQuery: string | undefined, inForm: string | undefined): string | undefined {
  if (inQuery !== undefined && inForm !== undefined && inQuery !== inForm) {
    throw invalidRequest([problem(field, 'repeated', `The query and the form name another \`${field}\` each.`)]);
  }
  return inForm ?? inQuery;
}

import { Injectable } from '@nestjs/common';
import { addressFault } from '../../core/connector/http-names';
import { draftConnector } from '../../core/connector/sample/draft-connector';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import { readConnector } from '../../connectors/definition/read-connector';
import { readSample } from '../../connectors/sample/read-sample';
import { sampleAddress } from '../../connectors/sample/sample-address';
import { OpenapiImporter, type OpenapiPlace } from '../../connectors/openapi/openapi-importer';
import { sourceText } from '../shared/definition-source';
import { withoutNulls } from '../shared/views';
import type { FromOpenapiDto, FromSampleDto, OpenapiDraftDto, SampleDraftDto } from './dto/import.dto';

/** Connector texts made from what a person has: a description of the API, or one of its answers. */
@Injectable()
export class ConnectorDraftsService {
  constructor(private readonly openapi: OpenapiImporter) {}

  /** Throws `invalid_openapi` with lines, `invalid_request`, and what fetching throws. */
  async fromOpenapi(body: FromOpenapiDto): Promise<OpenapiDraftDto> {
    const fault = body.base_url === undefined ? undefined : addressFault(body.base_url);
    if (fault !== undefined) throw wrongField('base_url', `\`base_url\` ${fault}.`);
    const { id, name, base_url, include } = body;
    const made = await this.openapi.import(placeOf(body), withoutNulls({ id, name, base_url, include }));
    const { source, valid, problems, operations, endpoints } = made;
    return { source, valid, operations, endpoints, problems };
  }

  /** Throws `invalid_sample` with the line. */
  fromSample(body: FromSampleDto): SampleDraftDto {
    const shape = readSample(body.sample, body.format);
    const address = body.url === undefined ? undefined : sampleAddress(body.url);
    const { source, credentials } = draftConnector(shape, withoutNulls({ id: body.id, name: body.name }), address);
    const remarks = [...shape.unnamed.map(unnamed), ...credentials.map(hidden)];
    return {
      source,
      valid: isValid(source),
      format: shape.format,
      records: shape.records,
      fields: shape.fields,
      problems: remarks,
      ...withoutNulls({ results_path: shape.list }),
    };
  }
}

function placeOf({ source, url }: FromOpenapiDto): OpenapiPlace {
  if (source !== undefined && url === undefined) return { text: sourceText(source) };
  if (url !== undefined && source === undefined) return { url };
  throw wrongField('source', 'Give `source` or `url`: one of the two.');
}

function isValid(source: string): boolean {
  return readConnector(source).definition !== undefined;
}

function unnamed(name: string): Problem {
  const message = `\`${name}\` is left out: no path can name it, or another field has its name.`;
  return { severity: 'warning', code: 'unnamed_field', message };
}

function hidden(name: string): Problem {
  const message = `\`${name}\` looks like a key: its value is not in the text. Store it as a secret.`;
  return { severity: 'warning', code: 'credential_removed', message };
}

function wrongField(field: string, message: string): AppError {
  return new AppError('invalid_request', message, {
    category: 'bad_request',
    problems: [{ severity: 'error', code: 'invalid_field', field, pointer: `/${field}`, message }],
  });
}

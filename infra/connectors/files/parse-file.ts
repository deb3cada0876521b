import type { FileEndpoint } from '../../../core/connector/types';
import { parseCsvFile } from './csv-file';
import { decodeText } from './decode';
import { FileFault } from './file-fault';
import { parseJsonFile } from './json-file';
import type { ParsedFile } from './parsed-file';
import { parseXmlFile } from './xml-file';

/** One file by its endpoint. Pure and synchronous; throws FileFault. */
export function parseFile(endpoint: FileEndpoint, bytes: Uint8Array): ParsedFile {
  const text = decodeText(bytes, endpoint.encoding);
  switch (endpoint.parser) {
    case 'xml':
      return parseXmlFile(endpoint, text);
    case 'json':
      return parseJsonFile(endpoint, text);
    case 'csv':
      return parseCsvFile(endpoint, text);
    default:
      throw new FileFault('not_available', `Files of the kind \`${endpoint.parser}\` cannot be read in this version.`);
  }
}

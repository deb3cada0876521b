import type { FileEndpoint } from '../../core/connector/types';
import { assertNever } from '../../core/base/assert-never';
import { parseCsvFile } from './text/csv-file';
import { decodeText } from './text/decode';
import { FileFault } from './file-fault';
import { parseFixedWidthFile } from './text/fixed-width-file';
import { parseJsonFile } from './text/json-file';
import { docxParser, fecParser, pdfParser, xlsxParser } from './host/lazy-parsers';
import type { ParsedFile } from './parsed-file';
import { parseXmlFile } from './xml/xml-file';

/** One file by its endpoint. Without side effects; throws FileFault. */
export async function parseFile(endpoint: FileEndpoint, bytes: Uint8Array): Promise<ParsedFile> {
  try {
    return await parse(endpoint, bytes);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new FileFault('file_too_complex', 'The file is nested too deeply, or too large, to be read.');
    }
    throw error;
  }
}

function parse(endpoint: FileEndpoint, bytes: Uint8Array): ParsedFile | Promise<ParsedFile> {
  switch (endpoint.parser) {
    case 'xml':
      return parseXmlFile(endpoint, decodeText(bytes, endpoint.encoding));
    case 'json':
      return parseJsonFile(endpoint, decodeText(bytes, endpoint.encoding));
    case 'csv':
      return parseCsvFile(endpoint, decodeText(bytes, endpoint.encoding));
    case 'fixed_width':
      return parseFixedWidthFile(endpoint, decodeText(bytes, endpoint.encoding));
    case 'fec':
      return fecParser().parseFecFile(endpoint, decodeText(bytes, endpoint.encoding, 'windows-1252'));
    case 'xlsx':
      return xlsxParser().parseXlsxFile(endpoint, bytes);
    case 'docx':
      return docxParser().parseDocxFile(endpoint, bytes);
    case 'pdf':
      return pdfParser().parsePdfFile(endpoint, bytes);
    default:
      return assertNever(endpoint.parser);
  }
}

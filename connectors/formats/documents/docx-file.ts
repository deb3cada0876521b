import type { Element } from 'slimdom';
import type { JsonObject } from '../../../core/base/json';
import type { FileEndpoint } from '../../../core/connector/types';
import { entryOf, readArchive } from './archive';
import type { ArchiveEntry } from './archive';
import { decodeText } from '../text/decode';
import { blocksOf } from './docx-text';
import type { Block } from './docx-text';
import { FileFault } from '../file-fault';
import { readDocument } from '../text/json-file';
import type { ParsedFile } from '../parsed-file';
import { parseXml } from '../xml/xml-document';

const BODY = 'word/document.xml';
const MARGINS = /^word\/(header|footer)\d*\.xml$/;
const OLE2 = [0xd0, 0xcf, 0x11, 0xe0];

/** The text of a DOCX, one record a paragraph or table in their order. Throws FileFault. */
export function parseDocxFile(endpoint: FileEndpoint, bytes: Uint8Array): ParsedFile {
  return readDocument(endpoint, docxDocument(bytes), { list: 'blocks' });
}

/**
 * `blocks` (paragraphs and tables in order), `paragraphs`, `tables`, `headers` (headers and footers), and `document`
 * (one record with all the text). Throws FileFault.
 */
export function docxDocument(bytes: Uint8Array): JsonObject {
  if (OLE2.every((byte, index) => bytes[index] === byte)) {
    throw new FileFault(
      'file_encrypted',
      'The file is no DOCX: it is encrypted, or of the older form DOC. Save it as DOCX.',
    );
  }
  const entries = readArchive(bytes);
  const blocks = blocksOf(bodyOf(entryOf(entries, BODY), BODY)).filter(hasText);
  const records = blocks.map((block, index) => recordOf(block, index + 1));
  const ofKind = (kind: Block['kind']): JsonObject[] => records.filter((record) => record['kind'] === kind);
  return {
    blocks: records,
    paragraphs: ofKind('paragraph'),
    tables: ofKind('table'),
    headers: headersOf(entries),
    document: [{ text: blocks.map(textOf).join('\n') }],
  };
}

function bodyOf(xml: Buffer, name: string): Element {
  try {
    const root = parseXml(decodeText(xml, 'auto')).documentElement;
    if (root === null) {
      throw new FileFault('malformed_xml', 'It is empty.');
    }
    return root;
  } catch (error) {
    if (error instanceof FileFault) {
      throw new FileFault(error.code, `\`${name}\` in the file: ${error.message}`, error.place);
    }
    throw error;
  }
}

function hasText(block: Block): boolean {
  return block.kind === 'table' || block.paragraph.text.trim() !== '';
}

function textOf(block: Block): string {
  return block.kind === 'table' ? block.rows.map((row) => row.join('\t')).join('\n') : block.paragraph.text;
}

function recordOf(block: Block, number: number): JsonObject {
  if (block.kind === 'table') {
    return { block: number, kind: 'table', style: null, text: textOf(block), rows: block.rows };
  }
  return { block: number, kind: 'paragraph', style: block.paragraph.style, text: block.paragraph.text, rows: null };
}

function headersOf(entries: readonly ArchiveEntry[]): JsonObject[] {
  return entries
    .filter((entry) => MARGINS.test(entry.name))
    .map((entry) => {
      const blocks = blocksOf(bodyOf(entry.read(), entry.name)).filter(hasText);
      return { part: entry.name.slice('word/'.length), text: blocks.map(textOf).join('\n') };
    })
    .filter((header) => header.text !== '');
}

import { shorten } from '../../../core/base/shorten';
import type { JsonObject } from '../../../core/base/json';
import type { FileEndpoint } from '../../../core/connector/types';
import { FileFault } from '../file-fault';
import { readDocument } from '../text/json-file';
import type { ParsedFile } from '../parsed-file';
import { getDocument } from './pdf-library';
import type { Pdf } from './pdf-library';

const MAX_PAGES = 5_000;
const MAX_TEXT = 20_000_000;
const HEADER_WITHIN = 1024;
/** Options under which no code of the file is compiled, no font is loaded and no log is written. */
const OPTIONS = { isEvalSupported: false, disableFontFace: true, useSystemFonts: true, verbosity: 0 };

/** The text of a PDF, one record a page. A page without text is said in `warnings`. Throws FileFault. */
export async function parsePdfFile(endpoint: FileEndpoint, bytes: Uint8Array): Promise<ParsedFile> {
  const pages = await pdfPages(bytes);
  const records = pages.map((text, index): JsonObject => ({ page: index + 1, text }));
  const document = [{ page_count: pages.length, text: pages.join('\n\n') }];
  const parsed = readDocument(endpoint, { pages: records, document }, { list: 'pages' });
  const silent = pages.flatMap((text, index) => (text === '' ? [index + 1] : []));
  return { ...parsed, warnings: [...parsed.warnings, ...silent.slice(0, 20).map(withoutText)] };
}

/** Text of each page, lines kept, spaces at line ends dropped. Throws FileFault. */
export async function pdfPages(bytes: Uint8Array): Promise<string[]> {
  const pdf = await open(bytes);
  try {
    if (pdf.numPages > MAX_PAGES) {
      throw new FileFault('file_too_complex', `The PDF has ${pdf.numPages} pages; at most ${MAX_PAGES} are read.`);
    }
    const pages: string[] = [];
    let length = 0;
    for (let page = 1; page <= pdf.numPages; page += 1) {
      const text = await textOf(pdf, page);
      length += text.length;
      if (length > MAX_TEXT) {
        throw new FileFault('file_too_complex', `The PDF holds more than ${MAX_TEXT} characters of text.`);
      }
      pages.push(text);
    }
    return pages;
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  if (!Buffer.from(bytes.subarray(0, HEADER_WITHIN)).includes('%PDF-')) {
    throw new FileFault('malformed_pdf', 'The file is no PDF: it does not begin like one.', { line: 1, column: 1 });
  }
  try {
    // The library keeps the bytes that it gets, so it gets its own.
    return await getDocument({ data: new Uint8Array(bytes), ...OPTIONS }).promise;
  } catch (error) {
    throw faultOf(error);
  }
}

async function textOf(pdf: Pdf, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
      .replace(/[ \t]+(?=\n)/g, '')
      .trim();
  } catch (error) {
    throw faultOf(error, ` Page ${number} cannot be read.`);
  }
}

function faultOf(error: unknown, more = ''): FileFault {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  if (name === 'PasswordException') {
    return new FileFault('file_encrypted', 'The PDF needs a password. Save it without one.');
  }
  return new FileFault('malformed_pdf', `The file is no readable PDF: ${shorten(message, 200)}.${more}`);
}

function withoutText(page: number): { field: string; message: string } {
  return { field: 'text', message: `Page ${page} has no text: it is empty or a picture.` };
}

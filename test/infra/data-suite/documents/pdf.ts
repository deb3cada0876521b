import { expect } from '@jest/globals';
import { expectFault } from '../fault';
import type { Check } from '../row';
import { asText, rows } from '../results';

export const PDFS = [
  '2023-06-20-PV.pdf',
  'SYNTH-truncated-scotus-transcript.pdf',
  'background-checks.pdf',
  'chi_human_relations.pdf',
  'copy-protected.pdf',
  'cupertino_usd_4-6-16.pdf',
  'f990si.pdf',
  'i990sf.pdf',
  'libreoffice-writer-password.pdf',
  'malformed-from-issue-932.pdf',
  'multi-column-2p.pdf',
  'nics-background-checks-2015-11-rotated.pdf',
  'opinion_pdf_image_based.pdf',
  'opinion_tax.pdf',
  'scotus-transcript-p1.pdf',
  'single_table.pdf',
];

/** Another reader of the same page counts blanks and ligatures otherwise: the lengths agree within an eighth. */
const SHARE = 8;
const AT_LEAST = 12;

/**
 * Printer's marks outside of the page, with which the description begins: no reader sees them, and ours leaves them
 * out.
 */
const BEGINS: Record<string, string> = { 'documents/i990sf.pdf': '2016 Instructions for Schedule F' };

export const pdf: Check = async (row) => {
  const { path, said, world } = row;
  const read = world.file(path, { parser: 'pdf' });
  if (said.takeIfSaid(/pypdf: PdfStreamError: Stream has ended unexpectedly/) !== undefined) {
    await expectFault(read, { code: 'malformed_pdf' });
    return;
  }
  const password = said.takeIfSaid(/encrypted, password '(.*?)' opens it/)?.[0];
  if (password !== undefined && password !== '') {
    await expectFault(read, { code: 'file_encrypted' });
    // Contents need the password, which no connector has.
    said.take(/\d+ pages; text characters per page \(.*?\) \[.*?\]; begins '.*'/);
    return;
  }
  const result = await read;
  const pages = rows(result).map((page) => asText(page['text']).replace(/\s+/g, ' '));
  const [count, lengths = ''] = said.take(
    /(\d+) pages; text characters per page \(pypdf, spaces collapsed\) \[(.*?)\]/,
  );
  expect(pages).toHaveLength(Number(count));
  lengths
    .split(', ')
    .map(Number)
    .forEach((length, page) => {
      const found = pages[page]?.length ?? 0;
      expect({ page, far: Math.abs(found - length) > Math.max(AT_LEAST, length / SHARE), found, length }).toMatchObject(
        { far: false },
      );
    });
  said.sameFlag(
    /no text layer on page 1/,
    rows(result, 'warnings').some((warning) => asText(warning['message']).startsWith('Page 1 has no text')),
  );
  const begins = said.takeIfSaid(/begins '(.*)'$/)?.[0] ?? '';
  expect(letters(pages[0] ?? '')).toContain(letters(BEGINS[path] ?? begins).slice(0, 20));
};

/** Order of the columns of a page and its blanks are each reader's own. */
function letters(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, '');
}

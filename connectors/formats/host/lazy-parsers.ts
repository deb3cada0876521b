import type * as Feeds from '../../kinds/feeds/parse-feed';
import type * as Pages from '../../kinds/scraper/parse-page';
import type * as Docx from '../documents/docx-file';
import type * as Fec from '../fec/fec-file';
import type * as Pdf from '../documents/pdf-file';
import type * as Xlsx from '../documents/xlsx-file';

/** Parsers that only some processes and threads need, loaded with the first job of their kind. */
export const pageParser = (): typeof Pages => require('../../kinds/scraper/parse-page') as typeof Pages;
export const feedParser = (): typeof Feeds => require('../../kinds/feeds/parse-feed') as typeof Feeds;
export const fecParser = (): typeof Fec => require('../fec/fec-file') as typeof Fec;
export const xlsxParser = (): typeof Xlsx => require('../documents/xlsx-file') as typeof Xlsx;
export const docxParser = (): typeof Docx => require('../documents/docx-file') as typeof Docx;
export const pdfParser = (): typeof Pdf => require('../documents/pdf-file') as typeof Pdf;

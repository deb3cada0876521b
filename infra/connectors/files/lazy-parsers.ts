import type * as Feeds from '../feeds/parse-feed';
import type * as Pages from '../scraper/parse-page';
import type * as Docx from './docx-file';
import type * as Fec from './fec-file';
import type * as Pdf from './pdf-file';
import type * as Xlsx from './xlsx-file';

/** Parsers that only some processes and threads need, loaded with the first job of their kind. */
export const pageParser = (): typeof Pages => require('../scraper/parse-page') as typeof Pages;
export const feedParser = (): typeof Feeds => require('../feeds/parse-feed') as typeof Feeds;
export const fecParser = (): typeof Fec => require('./fec-file') as typeof Fec;
export const xlsxParser = (): typeof Xlsx => require('./xlsx-file') as typeof Xlsx;
export const docxParser = (): typeof Docx => require('./docx-file') as typeof Docx;
export const pdfParser = (): typeof Pdf => require('./pdf-file') as typeof Pdf;

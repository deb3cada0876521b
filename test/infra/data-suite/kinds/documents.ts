import { PDFS, pdf } from '../documents/pdf';
import { DOCX, docx, truncatedDocx } from '../documents/docx';
import { container, workbook, WORKBOOKS } from '../documents/workbooks';
import { delimited, DELIMITED, padded } from '../documents/delimited';
import { encoded, ENCODED, html, HTML, plain, PLAIN } from '../documents/texts';
import { each, type Checks } from '../row';

export const documents: Checks = {
  ...each(pdf, ...PDFS),
  ...each(docx, ...DOCX),
  'SYNTH-truncated-handbook.docx': truncatedDocx,
  ...each(workbook, ...WORKBOOKS),
  ...each(container, 'excel_properties.xls', 'ods_formats.ods'),
  ...each(delimited, ...DELIMITED),
  'weird_head_padding.csv': padded,
  ...each(encoded, ...ENCODED),
  ...each(html, ...HTML),
  ...each(plain, ...PLAIN),
};

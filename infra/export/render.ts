import { AppError } from '../../core/errors/app-error';
import { jsonReport } from '../../core/report/json';
import { renderMarkdownReport } from '../../core/report/markdown';
import { recordsOf, reportTable, tableOf } from '../../core/report/table';
import type { Json } from '../../core/base/json';
import { sidecarJson, emptyText, factLines, missingIn, notComputed } from '../../core/report/about';
import type { Report, ReportSection, Table } from '../../core/report/types';
import { alteredLines, type AlteredCell } from './altered-cells';
import { writeCsv } from './csv';
import type * as Xlsx from './xlsx';
import type { Sheet } from './xlsx';

const FILE_FORMATS = ['markdown', 'json', 'csv', 'xlsx'] as const;
type FileFormat = (typeof FILE_FORMATS)[number];

/** Loaded with the first workbook: its library takes 27 MB. */
const xlsx = (): typeof Xlsx => require('./xlsx') as typeof Xlsx;

interface Writer {
  extension: string;
  mediaType: string;
  /** Renders the report, and lists the texts that the file cannot hold unchanged. */
  write(report: Report): { bytes: Buffer; altered?: AlteredCell[] };
}

const WRITERS: Record<FileFormat, Writer> = {
  markdown: {
    extension: '.md',
    mediaType: 'text/markdown; charset=utf-8',
    write: (report) => ({ bytes: Buffer.from(renderMarkdownReport(report), 'utf8') }),
  },
  json: {
    extension: '.json',
    mediaType: 'application/json',
    write: (report) => ({ bytes: Buffer.from(`${JSON.stringify(jsonReport(report), null, 2)}\n`, 'utf8') }),
  },
  csv: {
    extension: '.csv',
    mediaType: 'text/csv; charset=utf-8',
    write: (report) => ({ bytes: writeCsv(reportTable(report)) }),
  },
  xlsx: {
    extension: '.xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (report) => xlsx().writeXlsx(report.sections.map(sheetOf), (altered) => aboutTable(report, altered)),
  },
};

function sheetOf(section: ReportSection): Sheet {
  const records = recordsOf(section.value);
  const nothing = emptyText(section) ?? (records.length === 0 ? 'No rows.' : undefined);
  return { name: section.title, table: nothing === undefined ? tableOf(records) : { columns: [nothing], rows: [] } };
}

/** The last sheet of a run's report: which run, how it stood, who decided, what is missing, and which cells are not as the data. */
function aboutTable({ title, meta, sections }: Report, altered: readonly AlteredCell[]): Table | undefined {
  const lacks = sections.flatMap((section) =>
    missingIn(section).map((line): Json[] => [section.title === '' ? 'missing' : `missing in ${section.title}`, line]),
  );
  const cells = alteredLines(altered).map((line): Json[] => ['altered', line]);
  if (meta === undefined && lacks.length === 0 && cells.length === 0) return undefined;
  return { columns: ['report', title], rows: [...factLines(meta ?? {}), ...lacks, ...cells] };
}

/** Data alone have no place for these facts: they are written to a second file. Nothing for a report without facts about itself and without gaps. */
export function renderSidecar(report: Report, format: string): RenderedFile | undefined {
  const tells = report.meta !== undefined || report.sections.some((section) => missingIn(section).length > 0);
  const isAlone = format === 'csv' || (report.dataAlone === true && ['json', 'structured'].includes(format));
  if (!isAlone || !tells) return undefined;
  const bytes = Buffer.from(`${JSON.stringify(sidecarJson(report), null, 2)}\n`, 'utf8');
  return { bytes, extension: '.meta.json', mediaType: 'application/json' };
}

export interface RenderedFile {
  bytes: Buffer;
  extension: string;
  mediaType: string;
  /** Texts that the file does not hold as they are. */
  altered?: AlteredCell[];
}

/** A file of data alone cannot say that it was not computed: an empty file would look like an empty result. */
export function refuseNotComputed(report: Report): void {
  const text = notComputed(report);
  if (text === undefined) return;
  throw new AppError('not_computed', `There is nothing to write. ${text}.`, { category: 'validation' });
}

/** `structured` is JSON. @throws AppError `unknown_format`, `not_computed`, `too_many_cells`, `render_failed` */
export function renderFile(report: Report, format: string): RenderedFile {
  const name = FILE_FORMATS.find((known) => known === (format === 'structured' ? 'json' : format));
  if (name === undefined) {
    throw new AppError('unknown_format', `There is no format "${format}". Use one of ${FILE_FORMATS.join(', ')}.`, {
      category: 'validation',
    });
  }
  const saysNothing = report.meta === undefined || report.dataAlone === true;
  if ((name === 'csv' || name === 'json') && saysNothing) refuseNotComputed(report);
  const writer = WRITERS[name];
  try {
    return { ...writer.write(report), extension: writer.extension, mediaType: writer.mediaType };
  } catch (cause) {
    // Data that no writer can hold (a text above the engine's limit, nesting too deep) fail for good: a retry would not help.
    throw cause instanceof AppError
      ? cause
      : new AppError(
          'render_failed',
          `The data could not be written as ${name}: ${cause instanceof Error ? cause.message : String(cause)}.`,
          {
            category: 'too_large',
            cause,
          },
        );
  }
}

import type { Json } from '../base/json';
import { missingField } from './about';
import type { Report, ReportSection } from './types';

/** One untitled section is its value, where nothing stands with it. */
function valueAlone({ sections: [only, ...others], meta, dataAlone }: Report): ReportSection | undefined {
  return only?.title === '' && others.length === 0 && (meta === undefined || dataAlone) ? only : undefined;
}

/** A report as JSON: `{title, meta?, sections: [{title, value, computed?, missing?}]}`, or a value alone. */
export function jsonReport(report: Report): Json {
  const only = valueAlone(report);
  if (only !== undefined) return only.value;
  const sections = report.sections.map((section) => ({
    title: section.title,
    value: section.value,
    ...(section.absent === undefined ? {} : { computed: false }),
    ...missingField(section),
  }));
  return report.meta === undefined
    ? { title: report.title, sections }
    : { title: report.title, meta: report.meta, sections };
}

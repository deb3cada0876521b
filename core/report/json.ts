import type { Json } from '../base/json';
import type { Report } from './types';

/** A report as JSON: `{title, sections: [{title, value}], ...meta}`; a report of one untitled section is its value. */
export function jsonReport(report: Report): Json {
  const only = report.sections.length === 1 ? report.sections[0] : undefined;
  if (only !== undefined && only.title === '') {
    return only.value;
  }
  const sections = report.sections.map(({ title, value, lacks = [] }) => ({
    title,
    value,
    ...(lacks.length === 0 ? {} : { missing: lacks }),
  }));
  return report.meta === undefined
    ? { title: report.title, sections }
    : { title: report.title, meta: report.meta, sections };
}

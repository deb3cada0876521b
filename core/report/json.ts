import type { Json } from '../base/json';
import { missingField } from './about';
import type { Report } from './types';

/**
 * A report as JSON: `{title, meta?, sections: [{title, value, computed?, missing?}]}`; one untitled section without facts
 * is its value.
 */
export function jsonReport(report: Report): Json {
  const only = report.sections.length === 1 ? report.sections[0] : undefined;
  if (only !== undefined && only.title === '' && report.meta === undefined) {
    return only.value;
  }
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

import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import { readableLine } from './readable';
import { nullsIn, recordsOf } from './table';
import type { Report, ReportSection } from './types';

/** Facts about a report as names and lines: a list has a line for each element, and what is null has none. */
export function factLines(meta: JsonObject): [name: string, text: string][] {
  return Object.entries(meta).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value))
      return value.map((item) => [name, isJsonObject(item) ? readableLine(item) : jsonText(item)]);
    if (value === null || (isJsonObject(value) && Object.keys(value).length === 0)) return [];
    return [[name, isJsonObject(value) ? readableLine(value) : jsonText(value)]];
  });
}

/** The text in place of an empty section: not there, null, and a list without rows are three things. */
export function emptyText({ value, absent, lacks = [] }: ReportSection): string | undefined {
  const missing = lacks.join('; ');
  if (absent !== undefined) return `Not computed: ${missing === '' ? `${absent} is not there` : missing}`;
  const nothing = nothingIn(value);
  // An empty list because its source could not be read is no result.
  return nothing === undefined || missing === '' ? nothing : `${nothing} Missing: ${missing}`;
}

function nothingIn(value: Json): string | undefined {
  if (value === null) return 'No value (null).';
  if (!Array.isArray(value) || value.some((element) => element !== null)) return undefined;
  return value.length === 0 ? 'No rows.' : `No rows: all ${value.length} elements are null.`;
}

/** Missing parts of a section that has something to show, a line each. */
export function missingIn({ value, lacks = [] }: ReportSection): string[] {
  const [nulls, total] = Array.isArray(value) ? [nullsIn(value), value.length] : [0, 0];
  return nulls === 0 || nulls === total ? lacks : [...lacks, `${nulls} of ${total} elements are null, and not shown`];
}

/** Says that no section was computed: a file of values alone would look like an empty result. */
export function notComputed({ sections }: Report): string | undefined {
  const [first] = sections;
  return first !== undefined && sections.every(({ absent }) => absent !== undefined) ? emptyText(first) : undefined;
}

/** Content of the file beside one that holds rows alone: the facts, and those of each section. */
export function sidecarJson({ title, meta, sections }: Report): Json {
  return {
    title,
    ...meta,
    sections: sections.map((section) => ({
      title: section.title,
      computed: section.absent === undefined,
      ...(section.value === null ? {} : { rows: recordsOf(section.value).length }),
      ...missingField(section),
    })),
  };
}

/** Reason why a section was not computed, for JSON. */
export function missingField(section: ReportSection): { missing?: string[] } {
  const { absent, lacks = [] } = section;
  const missing = absent !== undefined && lacks.length === 0 ? [`${absent} is not there`] : missingIn(section);
  return missing.length === 0 ? {} : { missing };
}

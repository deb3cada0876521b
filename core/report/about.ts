import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import { readableLine } from './readable';
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

/** The text in place of an empty section: an empty result and a result that was not computed differ. */
export function emptyText({ value, lacks = [] }: ReportSection): string | undefined {
  if (value === null) return lacks.length === 0 ? 'Not computed.' : `Not computed: ${lacks.join('; ')}`;
  return Array.isArray(value) && value.length === 0 ? 'No rows.' : undefined;
}

/** What goes beside a file that holds rows alone: the facts, and what each section has. */
export function besideRows({ title, meta, sections }: Report): Json {
  return {
    title,
    ...meta,
    sections: sections.map(({ title: name, value, lacks = [] }) => ({
      title: name,
      computed: value !== null,
      ...(Array.isArray(value) ? { rows: value.length } : {}),
      ...(lacks.length === 0 ? {} : { missing: lacks }),
    })),
  };
}

import { DESTINATION_FORMATS, DESTINATION_TYPES } from '../actions/destinations';
import { SECTION_FORMATS } from '../report/types';
import { withoutBraces } from './parse-approval';
import type { MapReader } from './map-reader';
import type { OutputDestination, OutputPlan, OutputSection } from './types';

const FORMATS = ['markdown', 'json', 'csv', 'structured'] as const;
const SAVE_TO = ['document', 'workspace', 'both', 'none'] as const;
export const OUTPUT_FIELDS = [
  'format',
  'template',
  'title',
  'sections',
  'auto_enrich_graph',
  'save_to',
  'destinations',
  'summary',
  'summary_prompt',
];

/** `output` of a playbook; `save_to` becomes destinations in front of the written ones. */
export function parseOutput(root: MapReader): OutputPlan | undefined {
  const reader = root.map('output');
  if (reader === undefined) return undefined;
  reader.rejectUnknown(OUTPUT_FIELDS, '`output`');
  const format = reader.oneOf('format', FORMATS) ?? 'markdown';
  const saveTo = reader.oneOf('save_to', SAVE_TO) ?? 'none';
  const texts = optionalTexts(reader, ['template', 'title', 'summary', 'summary_prompt']);
  const written = reader.elements('destinations', (entry) => parseDestination(entry, format));
  return {
    format,
    ...texts,
    sections: reader.elements('sections', parseSection),
    auto_enrich_graph: reader.boolean('auto_enrich_graph') ?? false,
    save_to: saveTo,
    destinations: [...impliedDestinations(saveTo, format), ...written],
  };
}

function optionalTexts<T extends string>(reader: MapReader, names: readonly T[]): { [K in T]?: string } {
  const texts: { [K in T]?: string } = {};
  for (const name of names) {
    const value = reader.text(name);
    if (value !== undefined) texts[name] = value;
  }
  return texts;
}

function parseSection(reader: MapReader): OutputSection | undefined {
  reader.rejectUnknown(['title', 'source', 'format'], 'A section');
  const title = reader.text('title', { required: true });
  const source = withoutBraces(reader.string('source', { required: true }));
  const format = reader.oneOf('format', SECTION_FORMATS);
  if (source === undefined) return undefined;
  return { title: title ?? '', source, ...(format === undefined ? {} : { format }) };
}

function parseDestination(reader: MapReader, format: OutputPlan['format']): OutputDestination | undefined {
  reader.rejectUnknown(['type', 'format', 'condition', 'config'], 'A destination');
  const type = reader.oneOf('type', DESTINATION_TYPES, { required: true });
  const written = reader.oneOf('format', DESTINATION_FORMATS);
  const condition = reader.text('condition');
  const config = reader.map('config')?.object() ?? {};
  if (type === undefined) return undefined;
  return { type, format: written ?? format, ...(condition === undefined ? {} : { condition }), config };
}

/** Destinations that `save_to` stands for. */
export function impliedDestinations(saveTo: OutputPlan['save_to'], format: OutputPlan['format']): OutputDestination[] {
  const document: OutputDestination = { type: 'document', format, config: {} };
  const table: OutputDestination = { type: 'data_workspace_table', format: 'structured', config: {} };
  switch (saveTo) {
    case 'document':
      return [document];
    case 'workspace':
      return [table];
    case 'both':
      return [document, table];
    case 'none':
      return [];
  }
}

import { jsonText } from '../base/json-text';
import { parseTemplate, renderTemplate } from '../expr/template';
import type { Lookup } from '../expr/types';

/** Renders a text and never fails: a text that cannot be rendered is shown as it was written. */
export function renderText(text: string, lookup: Lookup): string {
  const template = parseTemplate(text);
  if (!template.ok) return text;
  try {
    return jsonText(renderTemplate(template.value, lookup));
  } catch {
    return text;
  }
}

import { shorten } from './shorten';
import type { Json } from './json';

/** Words that people sort playbooks and connectors by: one spelling each, so that a filter finds all of them. */
export const TAG = {
  pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  hint: 'lower-case words and digits joined by -',
};
export const MAX_TAG = 40;
export const MAX_TAGS = 20;
export const MAX_CATEGORY = 100;
export const MAX_ICON = 50;

export interface TagFault {
  /** Index in the list; absent: the list itself. */
  index?: number;
  code: 'invalid_type' | 'invalid_value' | 'duplicate_name';
  message: string;
  suggestion?: string;
}

export function isTag(text: string): boolean {
  return text.length <= MAX_TAG && TAG.pattern.test(text);
}

/** The tags of a list, and everything that is wrong with it. */
export function readTagList(values: readonly Json[]): { tags: string[]; faults: TagFault[] } {
  const tags = new Set<string>();
  const faults: TagFault[] = [];
  if (values.length > MAX_TAGS) {
    faults.push({ code: 'invalid_value', message: `At most ${MAX_TAGS} tags are allowed, found ${values.length}.` });
  }
  values.slice(0, MAX_TAGS).forEach((value, index) => {
    const fault = faultOf(value, tags);
    if (fault !== undefined) faults.push({ index, ...fault });
    else if (typeof value === 'string') tags.add(value);
  });
  return { tags: [...tags], faults };
}

function faultOf(value: Json, before: ReadonlySet<string>): TagFault | undefined {
  if (typeof value !== 'string') return wrongType(value);
  if (!isTag(value)) return wrongForm(value);
  return before.has(value)
    ? { code: 'duplicate_name', message: `The tag "${value}" is there twice.`, suggestion: 'Leave one out.' }
    : undefined;
}

function wrongType(value: Exclude<Json, string>): TagFault {
  const near = typeof value === 'number' || typeof value === 'boolean' ? { suggestion: `Write "${value}".` } : {};
  return { code: 'invalid_type', message: 'A tag is a text.', ...near };
}

function wrongForm(value: string): TagFault {
  const near = value
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const message = `"${shorten(value)}" is no tag: ${TAG.hint} are expected, at most ${MAX_TAG} characters.`;
  return { code: 'invalid_value', message, ...(isTag(near) ? { suggestion: `Write ${near}.` } : {}) };
}

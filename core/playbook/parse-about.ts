import { MAX_CATEGORY, readTagList } from '../base/tags';
import type { MapReader } from './map-reader';
import { toJson } from './source-node';
import { TRIGGER_TYPES, type PlaybookAbout, type Trigger } from './types';

const MAX_TRIGGERS = 50;
const MAX_PATTERN = 500;
const MAX_REQUIRED = 100;

/** Reads the fields by which lists show and sort playbooks. Triggers start nothing yet. */
export function parseAbout(root: MapReader): PlaybookAbout {
  const category = parseCategory(root);
  const tags = parseTags(root);
  const triggers = parseTriggers(root);
  const required = (root.strings('required_connectors') ?? []).filter((name) => name !== '');
  limit(root, 'required_connectors', required.length, MAX_REQUIRED);
  return {
    ...(category === undefined ? {} : { category }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(triggers.length === 0 ? {} : { triggers }),
    ...(required.length === 0 ? {} : { required_connectors: required }),
  };
}

function parseCategory(root: MapReader): string | undefined {
  const category = root.text('category');
  if (category === undefined || category.length <= MAX_CATEGORY) return category;
  const message = `\`category\` has ${category.length} characters; at most ${MAX_CATEGORY} are allowed.`;
  root.report({ code: 'invalid_value', message }, 'category');
  return undefined;
}

function parseTags(root: MapReader): string[] {
  const items = root.list('tags')?.items ?? [];
  const { tags, faults } = readTagList(items.map(toJson));
  for (const { index, ...finding } of faults) {
    const at = index === undefined ? undefined : items[index]?.at;
    root.report({ ...finding, ...(at === undefined ? {} : { at }) }, index === undefined ? 'tags' : `tags[${index}]`);
  }
  return tags;
}

function parseTriggers(root: MapReader): Trigger[] {
  const node = root.get('triggers');
  limit(root, 'triggers', node?.kind === 'list' ? node.items.length : 0, MAX_TRIGGERS);
  const read = (trigger: MapReader): Trigger | undefined => {
    trigger.rejectUnknown(['pattern', 'type', 'priority'], 'A trigger');
    const pattern = trigger.string('pattern', { required: true });
    const type = trigger.oneOf('type', TRIGGER_TYPES) ?? 'keyword';
    const priority = trigger.number('priority', { integer: true }) ?? 0;
    if (pattern === undefined) return undefined;
    if (pattern.length > MAX_PATTERN) {
      const message = `\`pattern\` has ${pattern.length} characters; at most ${MAX_PATTERN} are allowed.`;
      trigger.report({ code: 'invalid_value', message }, 'pattern');
    }
    return { pattern, type, priority };
  };
  return root.elements('triggers', read, { most: MAX_TRIGGERS });
}

function limit(root: MapReader, name: string, found: number, most: number): void {
  if (found <= most) return;
  root.report({ code: 'invalid_value', message: `At most ${most} \`${name}\` are allowed, found ${found}.` }, name);
}

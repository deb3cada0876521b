import { MAX_CATEGORY, MAX_ICON, readTagList } from '../base/tags';
import type { Fields } from './fields';
import type { ConnectorAbout } from './types';

/** Reads the fields by which lists show and sort connectors. */
export function readAbout(top: Fields): ConnectorAbout {
  const icon = top.text('icon', { max: MAX_ICON });
  const category = top.text('category', { max: MAX_CATEGORY });
  const tags = readTags(top);
  return {
    ...(icon === undefined ? {} : { icon }),
    ...(category === undefined ? {} : { category }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}

function readTags(top: Fields): string[] {
  const { tags, faults } = readTagList((top.list('tags') ?? []).map(({ value }) => value));
  for (const { index, code, message, suggestion } of faults) {
    const path = index === undefined ? top.at('tags') : [...top.at('tags'), index];
    top.report.add(path, code, message, suggestion === undefined ? {} : { suggestion });
  }
  return tags;
}

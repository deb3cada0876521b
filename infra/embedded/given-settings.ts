import { createHmac, randomBytes } from 'node:crypto';
import { configVariables, type Environment } from '../config/config';

/** Settings that the command line alone reads, or that name the home itself. */
const NOT_OF_A_PROFILE = new Set(['AF_HOME', 'AF_URL', 'AF_API_KEY']);
/** Settings that others define: Temporal's SDK, providers of models, proxies. */
const OF_OTHERS = /^(AF_|TEMPORAL_)|_API_KEY$|^(HTTPS?|NO)_PROXY$/i;
const SALT = 'salt';

/** A mark of every setting in an environment, so that a later start can compare its own; values are not in it. */
export function settingMarks(env: Environment): Record<string, string> {
  const salt = randomBytes(16).toString('hex');
  const values = settingsOf(env);
  return { [SALT]: salt, ...Object.fromEntries(Object.keys(values).map((name) => [name, mark(salt, values[name])])) };
}

/** Settings that are given here and are not those that the marks were made of, by name. */
export function otherSettings(env: Environment, marks: Readonly<Record<string, string>>): string[] {
  const salt = marks[SALT];
  // A profile that an earlier version started left none.
  if (salt === undefined) return [];
  const defaults = new Map(configVariables.map(({ name, default: value }) => [name, value]));
  const given = settingsOf(env);
  return Object.keys(given)
    .filter((name) => {
      const there = marks[name] ?? mark(salt, defaults.get(name) ?? '');
      return there !== mark(salt, given[name]);
    })
    .toSorted();
}

function settingsOf(env: Environment): Record<string, string> {
  const names = new Set(configVariables.map(({ name }) => name));
  const isSetting = (name: string) => (names.has(name) || OF_OTHERS.test(name)) && !NOT_OF_A_PROFILE.has(name);
  const given = Object.entries(env).flatMap(([name, value]) => {
    const text = value?.trim() ?? '';
    return text === '' || !isSetting(name) ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}

function mark(salt: string, value = ''): string {
  return createHmac('sha256', salt).update(value).digest('hex');
}

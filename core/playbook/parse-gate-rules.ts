import { shorten } from '../base/shorten';
import type { MapReader } from './map-reader';
import type { Approvers, GateRules } from './types';

export const APPROVER_KINDS = ['users', 'teams', 'scopes'] as const;
const MAX_APPROVERS = 100;
const MAX_NAME = 200;
const SCOPE = /^[a-z0-9][a-z0-9_-]*:[a-z0-9][a-z0-9_-]*$/;

/** Approvers and quorum of a gate; undefined = the author wrote no rules. */
export function parseGateRules(reader: MapReader, timeout: number): GateRules | undefined {
  const approvers = parseApprovers(reader, 'approvers');
  const escalateTo = parseApprovers(reader, 'escalate_to');
  const rules: GateRules = {
    ...given('approvers', approvers),
    ...given('quorum', reader.number('quorum', { integer: true, min: 1, max: MAX_APPROVERS })),
    ...given('four_eyes', reader.boolean('four_eyes')),
    ...given('link_only', reader.boolean('link_only')),
    ...given('remind_after_minutes', minutes(reader, 'remind_after_minutes', timeout)),
    ...given('escalate_after_minutes', minutes(reader, 'escalate_after_minutes', timeout)),
    ...given('escalate_to', escalateTo),
  };
  checkReach(reader, rules);
  return Object.keys(rules).length === 0 ? undefined : rules;
}

function given<K extends string, T>(key: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]?: T });
}

/** Reads minutes that lie before the end of the wait: later ones would never come. */
function minutes(reader: MapReader, field: string, timeout: number): number | undefined {
  const value = reader.number(field, { min: 0.001 });
  if (value === undefined || value < timeout) return value;
  const message = `\`${field}\` is ${value}, but the wait is over after ${timeout} minutes.`;
  reader.report({ code: 'invalid_value', message, suggestion: 'Make it shorter than timeout_minutes.' }, field);
  return undefined;
}

function parseApprovers(outer: MapReader, field: string): Approvers | undefined {
  const reader = outer.map(field);
  if (reader === undefined) return undefined;
  reader.rejectUnknown(APPROVER_KINDS, `\`${field}\``);
  const approvers: Approvers = {};
  for (const kind of APPROVER_KINDS) {
    const names = reader.strings(kind, (name, index) => checkApprover(reader, kind, index, name));
    if (names === undefined) continue;
    approvers[kind] = [...new Set(names)];
  }
  const count = APPROVER_KINDS.reduce((sum, kind) => sum + (approvers[kind]?.length ?? 0), 0);
  if (count === 0 || count > MAX_APPROVERS) {
    const message = `\`${field}\` names ${count} approvers, but it must name 1 to ${MAX_APPROVERS}.`;
    const suggestion = 'List people in users, teams in teams, rights in scopes.';
    outer.report({ code: 'invalid_value', message, suggestion }, field);
  }
  return approvers;
}

function checkApprover(reader: MapReader, kind: (typeof APPROVER_KINDS)[number], index: number, name: string): void {
  // Control characters are in no name.
  const wrong = kind === 'scopes' ? !SCOPE.test(name) : name === '' || name.length > MAX_NAME || /\p{Cc}/u.test(name);
  if (!wrong) return;
  const expected = kind === 'scopes' ? 'a scope such as finance:approver' : 'a name or an id';
  const message = `\`${kind}[${index}]\` is "${shorten(name)}", but it must be ${expected}.`;
  const node = reader.get(kind);
  const at = node?.kind === 'list' ? node.items[index]?.at : undefined;
  reader.report({ code: 'invalid_value', message, ...(at === undefined ? {} : { at }) }, `${kind}[${index}]`);
}

/** Rules that nobody could ever meet. */
function checkReach(reader: MapReader, rules: GateRules): void {
  const { approvers, quorum = 1, escalate_to: escalateTo } = rules;
  if (approvers === undefined && (quorum > 1 || rules.four_eyes === true)) {
    const field = quorum > 1 ? 'quorum' : 'four_eyes';
    const message = `\`${field}\` needs more than the run's owner, but \`approvers\` is missing.`;
    reader.report({ code: 'missing_field', message, suggestion: 'Name the people who may decide.' }, field);
  }
  const people = approvers?.users?.length ?? 0;
  const open = approvers?.teams !== undefined || approvers?.scopes !== undefined || escalateTo !== undefined;
  if (people > 0 && !open && quorum > people) {
    const message = `\`quorum\` is ${quorum}, but only ${people} people may decide.`;
    reader.report({ code: 'invalid_value', message, suggestion: `Write at most ${people}.` }, 'quorum');
  }
  if ((rules.escalate_after_minutes === undefined) !== (escalateTo === undefined)) {
    const missing = escalateTo === undefined ? 'escalate_to' : 'escalate_after_minutes';
    reader.missing(missing, 'An escalation needs both escalate_after_minutes and escalate_to.');
  }
}

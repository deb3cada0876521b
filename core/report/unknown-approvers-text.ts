/** One line for people about approvers whom a playbook names and nobody is; undefined: there are none. */
export function unknownApproversText(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `Named as approvers, but nobody answers for them (no such name, or the account is deactivated): ${names.join(', ')}`;
}

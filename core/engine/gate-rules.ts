import type { GateRules } from '../playbook/types';
import type { ApprovalPolicyRequest } from './commands';

/**
 * Replay-sensitive. Gates for more than the run's owner. What a gate without rules does stays as it is: neither data nor
 * timers are added for it.
 */

/** True if other people than the run's owner have to decide: then neither `auto_approve` nor an older answer counts. */
export function asksOthers(rules: GateRules | undefined): boolean {
  return rules?.approvers !== undefined;
}

export function policyOf(rules: GateRules | undefined): { policy?: ApprovalPolicyRequest } {
  if (rules === undefined) return {};
  const { remind_after_minutes: _remind, escalate_after_minutes: _escalate, ...policy } = rules;
  return { policy };
}

/** The same moments as the request has them. */
export function noticeTimes(rules: GateRules | undefined, now: number): { remind_at?: string; escalate_at?: string } {
  return Object.fromEntries(
    noticeTimers(rules, now).map(({ purpose, at }) => [`${purpose}_at`, new Date(at).toISOString()]),
  );
}

/** Purpose and time of the timers that a waiting gate has beside its end. */
export function noticeTimers(
  rules: GateRules | undefined,
  now: number,
): { purpose: 'remind' | 'escalate'; at: number }[] {
  const { remind_after_minutes: remind, escalate_after_minutes: escalate } = rules ?? {};
  return [
    ...(remind === undefined ? [] : [{ purpose: 'remind' as const, at: now + remind * 60_000 }]),
    ...(escalate === undefined ? [] : [{ purpose: 'escalate' as const, at: now + escalate * 60_000 }]),
  ];
}

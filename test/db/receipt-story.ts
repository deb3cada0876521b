import fc from 'fast-check';

type Who = 'ann' | 'bob' | 'eve';
/** Minutes after the opening. */
export interface Act {
  kind: 'approve' | 'reject' | 'delegate' | 'takeBack';
  who: Who;
  at: number;
  via: 'api' | 'link';
}
export interface Request {
  due: number;
  escalate: number;
  /** Two: nobody hands their right on. */
  quorum: 1 | 2;
  acts: Act[];
}
/** Message that is processed long after its receipt; `of`: its request, or its run. */
export type Heard = { of: number } & (
  | { what: 'decision'; at: number }
  | { what: 'timer' | 'pause' | 'resume' | 'late link' }
  | { what: 'cancel'; retried: boolean }
);
export interface Story {
  requests: Request[];
  /** The order in which it is heard. */
  order: Heard[];
}

export const isDecision = (kind: Act['kind']): boolean => kind === 'approve' || kind === 'reject';

const minute = fc.integer({ min: 1, max: 60 });
const act: fc.Arbitrary<Act & { bulk: boolean }> = fc.record({
  kind: fc.constantFrom<Act['kind']>('approve', 'reject', 'approve', 'delegate', 'takeBack'),
  who: fc.constantFrom<Who>('ann', 'bob', 'eve'),
  at: fc.integer({ min: 0, max: 61 }),
  via: fc.constantFrom<Act['via']>('api', 'api', 'link'),
  bulk: fc.boolean(),
});
const cancel = fc.option(fc.record({ retried: fc.boolean() }));

/** Two requests of two runs; a bulk decision is one moment in both. */
export const story: fc.Arbitrary<Story> = fc
  .record({
    due: fc.tuple(minute, minute),
    escalate: fc.tuple(minute, minute),
    quorum: fc.constantFrom<Request['quorum']>(1, 2),
    acts: fc.uniqueArray(act, { minLength: 1, maxLength: 7, selector: ({ at }) => at }),
    cancels: fc.tuple(cancel, cancel),
  })
  .chain(({ due, escalate, quorum, acts, cancels }) => {
    const own = acts.filter(({ kind, who }) => isDecision(kind) || (who !== 'eve' && quorum === 1));
    const requests: Request[] = [
      { due: due[0], escalate: escalate[0], quorum, acts: own },
      { due: due[1], escalate: escalate[1], quorum, acts: own.filter(({ kind, bulk }) => bulk && isDecision(kind)) },
    ];
    const heard = requests.flatMap(({ acts: received }, of): Heard[] => [
      ...[...received.entries()].flatMap(([at, { kind }]): Heard[] =>
        // Twice: what carries decisions repeats itself.
        isDecision(kind)
          ? [
              { of, what: 'decision', at },
              { of, what: 'decision', at },
            ]
          : [],
      ),
      ...(['timer', 'timer', 'pause', 'resume', 'late link'] as const).map((what) => ({ of, what })),
      ...(cancels[of] ? [{ of, what: 'cancel' as const, ...cancels[of] }] : []),
    ]);
    return fc.shuffledSubarray(heard, { minLength: heard.length }).map((order) => ({ requests, order }));
  });

/**
 * The rule, said once more in a few lines: acts in the order of their receipt, nothing else. Of a decision that does not count, all
 * codes that say something true.
 */
export function told({ due, escalate, quorum, acts }: Request): { status: string; codes: Map<number, string[]> } {
  const codes = new Map<number, string[]>();
  const gone = new Set<Who>();
  const approved = new Set<Who>();
  let status = 'timed_out';
  for (const [index, each] of [...acts.entries()].toSorted(([, a], [, b]) => a.at - b.at)) {
    // Ann and Bob hand their right to Eve and take it back.
    if (each.kind === 'delegate') gone.add(each.who);
    else if (each.kind === 'takeBack') gone.delete(each.who);
    else {
      const reasons: string[] = [];
      if (each.at >= due) reasons.push('approval_due_passed');
      if (status !== 'timed_out') reasons.push('approval_already_decided');
      if (each.who === 'eve' && gone.size === 0 && each.at < escalate) reasons.push('not_allowed');
      if (gone.has(each.who)) reasons.push('delegated_away');
      // One voice is one; but who approved may reject as long as it waits.
      if (each.kind === 'approve' && approved.has(each.who)) reasons.push('already_approved');
      codes.set(index, reasons.length === 0 ? ['counted'] : reasons);
      if (reasons.length > 0) continue;
      if (each.kind === 'reject') status = 'rejected';
      else if (approved.add(each.who).size >= quorum) status = 'approved';
    }
  }
  return { status, codes };
}

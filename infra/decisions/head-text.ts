/** Signed text of a chain's head. None of its parts contains a line end. */
export function headText(ownerId: string, head: { no: number; hash: string; signed_at: string }): string {
  return ['agent-factory/decision-head/1', ownerId, head.no, head.hash, head.signed_at].join('\n');
}

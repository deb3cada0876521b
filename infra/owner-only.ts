/** Bits of a file's mode that let anyone but its owner read or change it. */
const OTHERS = 0o077;

export function isOpenToOthers({ mode }: { mode: number }): boolean {
  return (mode & OTHERS) !== 0;
}

import type { RuleContext } from './context';

/** One thing that must hold (or is worth a warning). A rule reports everything it finds and never throws. */
export interface Rule {
  /** kebab-case, as the file. */
  name: string;
  check(context: RuleContext): void;
}

import type { Json } from '../../base/json';
import type { Path } from '../../playbook/source-node';

/** A value with the place that it has in its document. */
export interface DocumentNode {
  /** Address of the document; empty = the one that was given. */
  document: string;
  path: Path;
  value: Json;
  /** Place of the reference whose own keys are part of the value. */
  variant?: string;
}

import { evaluateXPath } from 'fontoxpath';
import type { Node } from 'slimdom';
import { shorten } from '../../../core/base/shorten';
import { FileFault } from '../file-fault';

export type XPathItem = Node | string | number | boolean;
export interface XPathOptions {
  namespaceResolver: (prefix: string) => string | null;
}

/** Finds everything at the path from `context`. Throws FileFault. */
export function evaluatePath(path: string, context: Node, options: XPathOptions): XPathItem[] {
  try {
    return evaluateXPath(path, context, null, {}, evaluateXPath.ALL_RESULTS_TYPE, options) as XPathItem[];
  } catch (error) {
    if (error instanceof RangeError) {
      throw error;
    }
    const message =
      error instanceof Error
        ? (error.message.split('\n').find((line) => /^Error|X[A-Z]{3}\d/.test(line)) ?? error.message)
        : String(error);
    throw new FileFault('xpath_failed', `\`${path}\` cannot be evaluated on this file: ${shorten(message, 200)}`);
  }
}

export function isNode(item: XPathItem): item is Node {
  return typeof item === 'object';
}

import { NAME } from '../patterns';
import { METHODS } from '../types';
import type { Method } from '../types';
import { sha256 } from '../../base/sha256';
import type { Documents } from './documents';
import type { ImportReport } from './import-report';
import type { DocumentNode } from './document-node';
import { isReserved, wordsOf } from './words';

export interface Operation {
  method: Method;
  path: string;
  /** The operation's `operationId`, as it is written. */
  id?: string;
  node: DocumentNode;
  /** The part that the operations of one path share: parameters, servers. */
  shared: DocumentNode;
}

/** Every operation, in the order of the document. */
export function operationsOf(documents: Documents, report: ImportReport): Operation[] {
  const paths = documents.child(documents.root(), 'paths');
  return documents.children(paths).flatMap(({ key: path, node: shared }) => {
    if (!path.startsWith('/')) return [];
    if (documents.child(shared, 'trace') !== undefined) {
      report.warn('method_not_supported', 'TRACE is not imported.', shared);
    }
    return METHODS.flatMap((method): Operation[] => {
      const node = documents.child(shared, method.toLowerCase());
      if (node === undefined) return [];
      const id = documents.text(node, 'operationId');
      return [{ method, path, node, shared, ...(id === undefined ? {} : { id }) }];
    });
  });
}

const MAX_NAME = 63;

/**
 * A name for every operation: its id where that is a valid name, else its method and path. An id that several operations
 * have is used for none of them, so that a name never depends on the order of the document.
 */
export function endpointNames(operations: readonly Operation[], report: ImportReport): string[] {
  const ids = operations.map(({ id }) => (id === undefined ? undefined : nameFromId(id)));
  const times = new Map<string, number>();
  for (const id of ids) if (id !== undefined) times.set(id, (times.get(id) ?? 0) + 1);
  const taken = new Set([...times].flatMap(([id, count]) => (count === 1 ? [id] : [])));
  return operations.map((operation, index) => {
    const id = ids[index];
    if (id !== undefined && times.get(id) === 1) return id;
    const name = unique(nameFromPath(operation), operation, taken);
    if (id !== undefined) {
      const message = `Several operations have the id \`${id}\`; this one is called \`${name}\`.`;
      report.warn('duplicate_operation_id', message, operation.node);
    }
    return name;
  });
}

function nameFromId(id: string): string | undefined {
  const name = NAME.pattern.test(id)
    ? id
    : id
        .trim()
        .replace(/[^A-Za-z0-9_-]+/g, '_')
        .replace(/^[^A-Za-z_]+/, '');
  return NAME.pattern.test(name) && !isReserved(name) && /[A-Za-z0-9]/.test(name) ? name : undefined;
}

/** `GET /users/{id}/items` → `get_users_by_id_items`. */
function nameFromPath({ method, path }: Operation): string {
  const words = wordsOf(path.replace(/\{([^{}]*)\}/g, ' by $1 '), '_');
  const name = `${method.toLowerCase()}${words === '' ? '_root' : `_${words}`}`;
  return name.length <= MAX_NAME ? name : shortened(name, path);
}

function unique(name: string, { method, path }: Operation, taken: Set<string>): string {
  const chosen = taken.has(name) ? shortened(name, `${method} ${path}`) : name;
  taken.add(chosen);
  return chosen;
}

function shortened(name: string, whole: string): string {
  return `${name.slice(0, MAX_NAME - 9).replace(/_+$/, '')}_${sha256(whole).slice(0, 8)}`;
}

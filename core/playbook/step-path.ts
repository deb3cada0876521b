/** One part of a path: `each[3]`. */
export interface Part {
  name: string;
  at?: number;
}

/** Name of the step that a path belongs to, calls of its own (`w/~model1`) included. */
export function ownerOf(path: string): string {
  const call = path.indexOf('/~');
  return call < 0 ? path : path.slice(0, call);
}

/** Name of the top-level step that a path belongs to: `each[3]/parse` → `each`. */
export function rootOf(path: string): string {
  return /^[^[/]*/.exec(path)?.[0] ?? path;
}

/** The item, or turn, of the top-level step that a path lies in: `each[3]/parse` → `each[3]`; else the path. */
export function itemOf(path: string): string {
  return /^[^[/]*\[\d+\]/.exec(path)?.[0] ?? path;
}

export function nameOf(path: string): string {
  return partsOf(path).at(-1)?.name ?? path;
}

export function partsOf(path: string): Part[] {
  return path.split('/').map((text) => {
    const found = /^(.*)\[(\d+)\]$/.exec(text);
    return found ? { name: found[1] ?? '', at: Number(found[2]) } : { name: text };
  });
}

export function textOf(parts: readonly Part[]): string {
  return parts.map(({ name, at }) => (at === undefined ? name : `${name}[${at}]`)).join('/');
}

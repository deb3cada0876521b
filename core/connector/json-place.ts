import { Lines } from '../playbook/lines';

/** Place at which a text stops being JSON, from the error of its parser, which does not always name it. */
export function placeOfJsonFault(text: string, error: unknown): { line: number; column: number } {
  const said = positionIn(error);
  return new Lines(text).position(said ?? firstFault(text));
}

function positionIn(error: unknown): number | undefined {
  const found = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The longest beginning that only lacks its end; found by halves, each parsed as far as it is right. */
function firstFault(text: string): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lacksEnd(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function lacksEnd(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const position = positionIn(error);
    const message = error instanceof Error ? error.message : '';
    return position === undefined ? message.includes('end of JSON input') : position >= beginning.length;
  }
}

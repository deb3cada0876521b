import { markup, type Html } from './html';

/** A moment as people read it, with its time of day and zone. */
export function timeOf(at: string): Html {
  return markup`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

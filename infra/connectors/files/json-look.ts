import type { Json } from '../../../core/base/json';
import { MAX_DATA_DEPTH } from '../../../core/base/json-depth';
import { LARGE_NUMBER, lookOver, TOO_DEEP } from '../bodies/look-over';
import { nestedTooDeeply } from './json-text';

/** Looks at the values that are taken out of a parsed text, in place of a walk over all of it. */
export class JsonLook {
  /** Some number may not be what was written. */
  foundLarge = false;

  /** Throws FileFault for what is nested too deeply. */
  at(value: Json): void {
    const found = lookOver(value, MAX_DATA_DEPTH);
    if ((found & TOO_DEEP) !== 0) throw nestedTooDeeply();
    if ((found & LARGE_NUMBER) !== 0) this.foundLarge = true;
  }
}

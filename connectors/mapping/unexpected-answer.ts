/** One field alone that is missing says too little: an answer may lack it and be the right one. */
const FEWEST_FIELDS = 2;

/**
 * True if an answer has no mapped field, such as an error with status 200. One rule for JSON, XML, files and pages.
 * `counts`: true for fields that a right answer must have; absent: all.
 */
export function isUnexpectedAnswer<Field>(
  fields: readonly Field[],
  isThere: (field: Field) => boolean,
  counts: (field: Field) => boolean = () => true,
): boolean {
  return fields.filter(counts).length >= FEWEST_FIELDS && !fields.some(isThere);
}

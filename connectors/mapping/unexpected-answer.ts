/** One field alone that is missing says too little: an answer may lack it and be the right one. */
const FEWEST_FIELDS = 2;

/**
 * Tells whether an answer does not fit its definition, such as an error with status 200: no mapped field is there. One
 * rule for JSON, XML, files and pages. `counts`: whether the field has to be there in a right answer; absent: each has.
 */
export function isUnexpectedAnswer<Field>(
  fields: readonly Field[],
  isThere: (field: Field) => boolean,
  counts: (field: Field) => boolean = () => true,
): boolean {
  return fields.filter(counts).length >= FEWEST_FIELDS && !fields.some(isThere);
}

/** The fields that a body gives; null clears one that may be empty, and no other field can be null. */
export function changesOf<T extends object>(body: T): Partial<T> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<T>;
}

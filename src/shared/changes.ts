type Changes<T, Clearable extends keyof T> = {
  [K in keyof T]?: K extends Clearable ? T[K] | null : Exclude<T[K], null>;
};

/** The fields that a body gives. Null clears a field that may be empty; for all others it says as much as leaving it out. */
export function changesOf<T extends object, Clearable extends keyof T = never>(
  body: T,
  clearable: readonly Clearable[] = [],
): Changes<T, Clearable> {
  const given = Object.entries(body).filter(
    ([field, value]) => value !== undefined && (value !== null || clearable.includes(field as Clearable)),
  );
  return Object.fromEntries(given) as Changes<T, Clearable>;
}

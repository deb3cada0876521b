/** The promise's value, or `late` after `ms`; what comes later is ignored. Errors that come in time pass through. */
export async function withTimeout<T>(promise: Promise<T>, ms: number, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const clock = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  return Promise.race([promise, clock]).finally(() => clearTimeout(timer));
}

/** The answer of a probe; `late` where it fails or does not come in time. */
export function answerWithin<T>(answer: Promise<T>, ms: number, late: T): Promise<T> {
  return withTimeout(
    answer.catch(() => late),
    ms,
    late,
  );
}

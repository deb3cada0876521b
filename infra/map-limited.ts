/**
 * Carries out `work` for each item, `limit` at a time, and gives the results in the order of the items. Not `p-limit`: it makes a promise and a
 * closure for every item at once, and lists here come from outside.
 */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}

/** Runs `act` for each item, at most `size` at a time; results in the order of the items. Ends with the first rejection. */
export async function inPool<T, R>(items: readonly T[], size: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  const worker = async () => {
    // One iterator for all workers: each takes the next item that nobody has.
    for (const [index, item] of queue) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(size, items.length) }, worker));
  return results;
}

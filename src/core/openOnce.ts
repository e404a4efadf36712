/** Opens something for whoever asks first, gives the same to everybody after that, and tries anew when opening it failed. */
export function openOnce<Arguments extends readonly unknown[], T>(
  open: (...given: Arguments) => Promise<T>,
): { get(...given: Arguments): Promise<T>; readonly current: Promise<T> | undefined } {
  let current: Promise<T> | undefined;
  return {
    get(...given) {
      current ??= open(...given).catch((error: unknown) => {
        current = undefined;
        throw error;
      });
      return current;
    },
    get current() {
      return current;
    },
  };
}

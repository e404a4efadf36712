const binary: Readonly<Record<string, bigint>> = {
  Ki: 1n << 10n,
  Mi: 1n << 20n,
  Gi: 1n << 30n,
  Ti: 1n << 40n,
  Pi: 1n << 50n,
  Ei: 1n << 60n,
};
/** Powers of ten. */
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const nanoDigits = 9;

/**
 * A quantity in one form, so that equal amounts are equal texts: a whole number, else thousandths with an `m` (rounded up, as
 * the API server does). `1000m` and `1` give `1`, `2Gi` gives `2147483648`. What is no quantity comes back as it is.
 */
export function canonicalQuantity(value: unknown): unknown {
  const nano = nanoOf(value);
  if (nano === undefined) return value;
  const milli = ceilDivide(nano, 1_000_000n);
  return milli % 1000n === 0n ? String(milli / 1000n) : `${milli}m`;
}

/** The amount as a whole number, rounded up; undefined for what is no quantity. */
export function wholeQuantity(value: unknown): string | undefined {
  const nano = nanoOf(value);
  return nano === undefined ? undefined : String(ceilDivide(nano, 1_000_000_000n));
}

function nanoOf(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const match = /^\+?(\d+)(?:\.(\d*))?([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,2})?$/.exec(String(value));
  if (match === null) return undefined;
  const [, whole = '', fraction = '', suffix = ''] = match;
  const digits = BigInt(whole + fraction);
  const factor = binary[suffix];
  if (factor !== undefined) return scale(digits * factor, nanoDigits - fraction.length);
  const power = decimal[suffix] ?? Number(suffix.slice(1));
  return scale(digits, power + nanoDigits - fraction.length);
}

function scale(digits: bigint, power: number): bigint {
  return power >= 0 ? digits * 10n ** BigInt(power) : ceilDivide(digits, 10n ** BigInt(-power));
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

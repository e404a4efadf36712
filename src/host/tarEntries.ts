/** Takes a tar stream chunk by chunk and keeps the content of small files only; layers of an image pass through unkept. */
export interface TarEntries {
  write(chunk: Buffer): void;
  /** Contents by name, of the regular files up to the limit. */
  readonly files: ReadonlyMap<string, Buffer>;
}

const blockBytes = 512;

/** @param limitBytes largest file that is kept */
export function readTarEntries(limitBytes = 1024 * 1024): TarEntries {
  const files = new Map<string, Buffer>();
  let pending: Buffer = Buffer.alloc(0);
  let current: { name: string; remaining: number; padding: number; parts: Buffer[] | undefined } | undefined;
  let longName: string | undefined;

  const finish = () => {
    if (!current) return;
    if (current.parts) files.set(current.name, Buffer.concat(current.parts));
    current = undefined;
  };

  const header = (block: Buffer) => {
    if (block.every((byte) => byte === 0)) return;
    const type = String.fromCharCode(block[156] ?? 0);
    const size = numberOf(block.subarray(124, 136));
    const prefix = block.toString('latin1', 257, 262) === 'ustar' ? textOf(block.subarray(345, 500)) : '';
    const short = textOf(block.subarray(0, 100));
    const name = longName ?? (prefix === '' ? short : `${prefix}/${short}`);
    const regular = type === '0' || type === '\0';
    const extended = type === 'x' || type === 'L';
    if (!extended) longName = undefined;
    const padding = (blockBytes - (size % blockBytes)) % blockBytes;
    current = {
      name: extended ? `\0${type}` : name,
      remaining: size,
      padding,
      parts: (regular || extended) && size <= limitBytes ? [] : undefined,
    };
  };

  const settle = () => {
    const done = current;
    finish();
    if (!done?.name.startsWith('\0')) return;
    const content = files.get(done.name) ?? Buffer.alloc(0);
    files.delete(done.name);
    longName =
      done.name === '\0L' ? textOf(content) : /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
  };

  const write = (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let offset = 0;
    for (;;) {
      if (!current) {
        if (pending.length - offset < blockBytes) break;
        header(pending.subarray(offset, offset + blockBytes));
        offset += blockBytes;
        continue;
      }
      if (current.remaining > 0) {
        const take = Math.min(current.remaining, pending.length - offset);
        if (take === 0) break;
        current.parts?.push(Buffer.from(pending.subarray(offset, offset + take)));
        current.remaining -= take;
        offset += take;
        continue;
      }
      if (pending.length - offset < current.padding) break;
      offset += current.padding;
      settle();
    }
    pending = pending.subarray(offset);
  };

  return { write, files };
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** Octal text, or base 256 when the first bit is set (files above 8 GiB). */
function numberOf(bytes: Buffer): number {
  if (((bytes[0] ?? 0) & 0x80) !== 0) {
    return bytes.subarray(1).reduce((value, byte) => value * 256 + byte, (bytes[0] ?? 0) & 0x7f);
  }
  return Number.parseInt(textOf(bytes).trim() || '0', 8);
}

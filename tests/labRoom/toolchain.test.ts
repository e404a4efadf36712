import { describe, expect, it } from 'vitest';
import { unitKey } from '../../src/lab/toolchain/goModule.js';
import { units } from '../../src/lab/toolchain/units.js';

describe('the key of a built unit', () => {
  const go = 'go version go1.26.8 linux/amd64';
  it('is the same for the same pins, flags and Go', async () => {
    expect(await unitKey(units.runc, go)).toBe(await unitKey({ ...units.runc }, go));
  });
  it('changes with the Go version', async () => {
    expect(await unitKey(units.runc, `${go}0`)).not.toBe(await unitKey(units.runc, go));
  });
  it('changes with the flags', async () => {
    expect(await unitKey({ ...units.runc, tags: [] }, go)).not.toBe(await unitKey(units.runc, go));
  });
  it('changes with the pins of its module', async () => {
    expect(await unitKey({ ...units.runc, module: 'buildx' }, go)).not.toBe(await unitKey(units.runc, go));
  });
});

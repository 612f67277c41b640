import { hashText, ownerText, physicalName, readOwner, uniqueName } from '../../../../shared/core/basics/names';

describe('physical names', () => {
  test('short clean parts stay as they are', () => {
    expect(physicalName(['headstart', 'demo', 'inflate'])).toBe('headstart-demo-inflate');
  });

  test('long names are cut and hashed to fit, and stay apart', () => {
    const a = physicalName(['headstart', 'x'.repeat(100), 'inflate']);
    const b = physicalName(['headstart', `${'x'.repeat(99)}y`, 'inflate']);
    expect(a).toHaveLength(64);
    expect(a).toMatch(/^[0-9A-Za-z_.-]+$/);
    expect(a).not.toBe(b);
  });

  test('parts that join to the same text stay apart', () => {
    expect(uniqueName(['a-b', 'c'])).not.toBe(uniqueName(['a', 'b-c']));
  });

  test('hashes do not collide over many similar names', () => {
    const hashes = new Set(Array.from({ length: 20_000 }, (_, i) => hashText(`pool-${i}`)));
    expect(hashes.size).toBe(20_000);
  });
});

test('an owner is written as one text, and read back', () => {
  const owner = { account: '123456789012', region: 'eu-west-1', cluster: 'demo', namespace: 'headroom', stack: 'shop' };
  expect(ownerText(owner)).toBe('123456789012/eu-west-1/demo/headroom/shop');
  expect(readOwner(ownerText(owner))).toEqual(owner);
  for (const other of ['sandbox', '123456789012/eu-west-1/demo/headroom', `${ownerText(owner)}/more`, 'a//c/d/e'])
    expect(readOwner(other)).toBeUndefined();
});

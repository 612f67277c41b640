import { hashText, physicalName, uniqueName } from '../../../../shared/core/basics/names';

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

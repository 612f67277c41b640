import { readReasons, writeReasons } from '../../../../shared/core/manifests/annotations';

test('a reason may contain what once separated reasons', () => {
  const reasons = ['Override by ana: 1 → 6 until 2026-11-16T13:01Z (flash sale; see incident 42)', 'base: 1 node'];
  expect(readReasons(writeReasons(reasons))).toEqual(reasons);
});

test.each([
  { text: undefined, reasons: [] },
  { text: '', reasons: [] },
  { text: 'base: 1; by hand', reasons: ['base: 1; by hand'] },
  { text: '{"a":1}', reasons: ['{"a":1}'] },
])('what somebody else wrote there, $text, counts as one reason', ({ text, reasons }) => {
  expect(readReasons(text)).toEqual(reasons);
});

import fc from 'fast-check';
import { canonicalQuantity } from '../../../../lab/simulator/kube/canonical-quantity';
import { sameQuantity } from '../../../../shared/core/config/schema/quantity';

describe('canonicalQuantity', () => {
  test.each([
    { given: '1000m', stored: '1' },
    { given: '0.5', stored: '500m' },
    { given: 2, stored: '2' },
    { given: 1.5, stored: '1500m' },
    { given: '1024Mi', stored: '1Gi' },
    { given: '1536Mi', stored: '1536Mi' },
    { given: '1000Ki', stored: '1000Ki' },
    { given: '1000', stored: '1k' },
    { given: '1e3', stored: '1k' },
    { given: '0', stored: '0' },
    { given: '100u', stored: '100u' },
    { given: 'much', stored: 'much' },
  ])('$given is stored as $stored', ({ given, stored }) => {
    expect(canonicalQuantity(given)).toBe(stored);
  });

  test('the value stays, and a second time changes nothing', () => {
    const quantity = fc
      .tuple(fc.integer({ min: 0, max: 99_999 }), fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi'))
      .map(([number, suffix]) => `${number}${suffix}`);
    fc.assert(
      fc.property(quantity, (given) => {
        const stored = canonicalQuantity(given);
        expect(sameQuantity(given, stored)).toBe(true);
        expect(canonicalQuantity(stored)).toBe(stored);
      }),
    );
  });
});

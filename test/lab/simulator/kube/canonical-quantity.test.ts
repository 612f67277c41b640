import fc from 'fast-check';
import { canonicalQuantity } from '../../../../lab/simulator/kube/canonical-quantity';
import { sameQuantity } from '../../../../shared/core/config/schema/quantity';

describe('canonicalQuantity', () => {
  test('what is no quantity is stored as it is, and one that has a shorter form in that', () => {
    expect(['much', '1000m', '1536Mi', 1.5].map(canonicalQuantity)).toEqual(['much', '1', '1536Mi', '1500m']);
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

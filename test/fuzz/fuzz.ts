import fc from 'fast-check';
import { codePoint } from '../fakes/code-point';

/** 120 inputs in `npm test`, 10³ in `.ci/run`; `npm run fuzz` sets 10⁵. */
export const RUNS = Number(process.env.FUZZ_RUNS ?? 120);
/** Another seed finds other inputs; the one that failed is printed. */
const SEED = process.env.FUZZ_SEED === undefined ? 20_261_116 : Number(process.env.FUZZ_SEED);
/** Far more than any input takes, also on a busy machine: an input that reaches it has no bound. */
const MAX_MS = 5_000;

// A minute for every thousand inputs.
jest.setTimeout(Math.max(180_000, RUNS * 60));

/** Asserts a law for many inputs; a parser that hangs fails like one that throws. */
export function fuzz<T>(inputs: fc.Arbitrary<T>, law: (input: T) => void): void {
  fc.assert(
    fc.property(inputs, (input) => {
      const started = performance.now();
      law(input);
      expect(performance.now() - started).toBeLessThan(MAX_MS);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}

/** The same for what answers later. */
export async function fuzzAsync<T>(inputs: fc.Arbitrary<T>, law: (input: T) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const started = performance.now();
      await law(input);
      expect(performance.now() - started).toBeLessThan(MAX_MS);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}

/** Texts of the given pieces, and of anything at all. */
export const textOf = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((list) => list.join('')) },
    fc.string({ maxLength: 60 }),
    fc.string({ unit: codePoint, maxLength: 60 }),
  );

/** A valid text after a few small accidents: cut, repeated, overwritten. */
export const damaged = (text: string, pieces: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.record({
        at: fc.nat({ max: text.length }),
        length: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 60 })),
        piece: fc.oneof(fc.constantFrom('', ...pieces), fc.string({ maxLength: 6 })),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((accidents) =>
      accidents.reduce((now, { at, length, piece }) => now.slice(0, at) + piece + now.slice(at + length), text),
    );

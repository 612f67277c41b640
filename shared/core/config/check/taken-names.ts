import { type Found, fault } from '../schema/rules';

/** The items of a list whose name an earlier one has. */
export function takenNames(key: string, items: readonly { readonly name?: unknown }[]): Found {
  const first = firstIndexes(items.map(({ name }) => name));
  return items.map(
    ({ name }, index) =>
      name !== undefined &&
      first.get(name) !== index &&
      fault([key, index, 'name'], `is ${JSON.stringify(name)}, which is taken; write another name`),
  );
}

/** Where each value comes first. */
export function firstIndexes(values: readonly unknown[]): ReadonlyMap<unknown, number> {
  return new Map(values.map((value, index) => [value, index] as const).reverse());
}

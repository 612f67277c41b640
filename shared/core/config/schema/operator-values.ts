import type { Fault } from './fields';

const COMPARES = ['Gt', 'Lt', 'Gte', 'Lte'];

/** What is wrong with the values that stand beside an operator of a node selector; `undefined` when nothing is. */
export function wrongValues(operator: string, values: readonly string[] | undefined): Fault | undefined {
  if (operator === 'In' && !values?.length)
    return { fault: 'is missing', fix: 'write the values that are allowed, such as [a, b]' };
  if (operator === 'NotIn' && !values?.length)
    return { fault: 'is missing', fix: 'write the values that are excluded, such as [a, b]' };
  const fault = `does not go with ${operator}`;
  if (COMPARES.includes(operator) && !(values?.length === 1 && /^\d+$/.test(values[0] ?? '')))
    return { fault, fix: 'write one whole number, such as [4]' };
  if (/Exist/.test(operator) && values !== undefined) return { fault, fix: 'leave it out' };
  return undefined;
}

import { InputError } from '../terminal/exit';

export function readWholeNumber(
  text: string,
  option: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const allowed = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new InputError(`${option} is ${JSON.stringify(text)}; write a whole number ${allowed}`);
}

export function readAmount(text: string, option: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new InputError(`${option} is ${JSON.stringify(text)}; write a number, such as ${option} 50`);
}

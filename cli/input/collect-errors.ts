import { InputError } from '../terminal/exit';

type Readings = readonly (() => unknown)[];
type Values<T extends Readings> = { -readonly [index in keyof T]: ReturnType<T[index]> };

/** Reads all options and reports every mistake at once, one per line. */
export function collectErrors<const T extends Readings>(...readings: T): Values<T> {
  const mistakes: string[] = [];
  const values = readings.map((read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      mistakes.push(error.message);
      return undefined;
    }
  });
  if (mistakes.length > 0) throw new InputError(mistakes.join('\n'));
  return values as Values<T>;
}

import { InputError } from '../terminal/exit';

/** An order that the handler refuses; its example in JSON is for those who invoke the function themselves. */
export function rejectedOrder(message: string): InputError {
  return new InputError(message.replace(/; for example \{.*$/s, ''));
}

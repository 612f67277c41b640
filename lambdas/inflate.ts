import { service } from './compose';
import { handleOrder } from './handle-order';
import { run } from './run';

/** A manual invoke: inflate, pin, release, status. Wrong input answers with what to write. */
export async function handler(order: unknown) {
  const made = await service();
  return run(made, order, () => handleOrder(order, made));
}

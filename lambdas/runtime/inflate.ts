import { handleOrder } from '../../shared/core/handle-order';
import { run } from '../../shared/core/run';
import { service } from './compose';

/** A manual invoke: inflate, pin, release, status. Wrong input answers with what to write. */
export async function handler(order: unknown) {
  const made = await service();
  return run(made, order, () => handleOrder(order, made));
}

import { InputError } from '../../../cli/terminal/exit';
import { type Config, headroomsOn, noHeadroomText } from '../../../shared/core/config/config';

/** The headroom that a history is for: the one of that name, or the only one on the NodePool of that name. */
export function headroomFor(name: string, config: Config, given?: string): string {
  if (config.headrooms.some((headroom) => headroom.name === name)) return name;
  const on = headroomsOn(name, config).map((headroom) => headroom.name);
  if (on.length < 2) return on[0] ?? name;
  if (given !== undefined && on.includes(given)) return given;
  throw new InputError(`${JSON.stringify(name)} ${noHeadroomText(name, config)}, with --pool`);
}

import type { Config } from '../config';
import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';
import { MAX_KNOWN_RECORD, worstRecordSize } from './record-size';

/** What the functions write must be readable again, also with every alarm and every surge in it. */
export function checkRecords({ nodePools }: Config, tree: Located): Problem[] {
  return nodePools.flatMap((pool) => {
    const size = worstRecordSize(pool);
    if (size <= MAX_KNOWN_RECORD) return [];
    const holds = `${pool.alarms.length} alarms and up to ${pool.interruptions?.max ?? 0} interruption surges`;
    return [
      problemAt(
        tree,
        ['nodePools', pool.name],
        `has ${holds}, whose record could take ${size} bytes, more than ${MAX_KNOWN_RECORD}; write fewer alarms, shorter alarm names or a lower interruptions.max`,
      ),
    ];
  });
}

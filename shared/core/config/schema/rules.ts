import type { z } from 'zod';

/** A broken rule: the path below the value that was checked, what is wrong there and what to write instead. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Another value that has a part in it, which may be written in another file. */
  readonly beside?: readonly PropertyKey[];
}

/** A fault for each rule that is broken, something falsy for the others. */
export type Found = readonly (Fault | false | '' | undefined)[];

/** Rules across the keys of a value. */
export type Rules<T> = (value: T) => Found;

export function fault(path: string | Fault['path'], message: string, beside?: Fault['path']): Fault {
  return { path: typeof path === 'string' ? [path] : path, message, ...(beside && { beside }) };
}

/** For `superRefine`: makes rules part of a schema. Zod runs them only when every key has its type. */
export function obey<T>(rules: Rules<T>) {
  return (value: T, context: z.RefinementCtx): void => {
    for (const found of rules(value))
      if (found) context.addIssue({ code: 'custom', path: [...found.path], message: found.message, params: RULE });
  };
}

const RULE = { rule: true };

/** Whether `obey` added the issue, so that its message already says what is wrong. */
export function isFault(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params === RULE;
}

import type { Read } from '../../access/read';

export interface ScheduleFacts {
  readonly name: string;
  readonly group: string;
  readonly state: string;
}

export interface RuleFacts {
  readonly name: string;
  readonly state: string;
}

/** Everything that doctor looks at in an AWS account. */
export interface AccountFacts {
  readonly functionName: string;
  /** `undefined`: there is no such function. */
  readonly inflate: Read<
    { readonly state: string; readonly lastUpdate: string; readonly role: string; readonly stack?: string } | undefined
  >;
  readonly schedules: Read<readonly ScheduleFacts[]>;
  readonly rules: Read<readonly RuleFacts[]>;
  /** The configured alarms that CloudWatch knows. */
  readonly alarms: Read<readonly string[]>;
  /** `undefined`: there is no such cluster. */
  readonly cluster: Read<{ readonly authenticationMode: string } | undefined>;
  /** The groups of the access entry of the functions' role; `undefined`: there is none. */
  readonly accessGroups: Read<readonly string[] | undefined>;
}

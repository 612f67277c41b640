import type { Read } from '../../access/read';

export interface ScheduleFacts {
  readonly name: string;
  readonly group: string;
  readonly state: string;
}

/** An EventBridge rule, with what it matches. */
export interface RuleFacts {
  readonly name: string;
  readonly state: string;
  readonly sources: readonly string[];
  readonly detailTypes: readonly string[];
  readonly alarmNames: readonly string[];
}

/** How events reach one function. */
export interface Feed {
  readonly functionName: string;
  /** What its rules must target: the function, or the queue that it reads; absent if it does not exist. */
  readonly target?: string;
  /** Why the queue is not being read. */
  readonly off?: string;
  readonly rules: readonly RuleFacts[];
}

/** The function that `inflate`, `release` and `status` invoke. */
export interface InflateFacts {
  readonly state: string;
  readonly lastUpdate: string;
  readonly role: string;
  /** The cluster's endpoint when it was deployed. */
  readonly endpoint?: string;
}

/** Everything that doctor looks at in an AWS account. */
export interface AccountFacts {
  readonly functionName: string;
  /** `undefined`: there is no such function. */
  readonly inflate: Read<InflateFacts | undefined>;
  readonly schedules: Read<readonly ScheduleFacts[]>;
  /** Only those that the config needs. */
  readonly feeds: { readonly alarm?: Read<Feed>; readonly interruption?: Read<Feed> };
  /** The configured alarms that CloudWatch knows; absent where the config has none. */
  readonly alarms?: Read<readonly string[]>;
  /** `undefined`: there is no such cluster. */
  readonly cluster: Read<{ readonly server: string; readonly authenticationMode: string } | undefined>;
  /** The groups of the access entry of the functions' role; `undefined`: there is none. */
  readonly accessGroups: Read<readonly string[] | undefined>;
}

/** What the function in front asks of the one that talks to the cluster. What the objects are, it cannot say. */
export interface ObjectsRequest {
  /**
   * - `apply`: bring the cluster to the objects, as admin
   * - `check`: look whether they are as they were applied
   * - `remove`: delete them, the deploying role's own rights last
   * - `leave`: delete those rights only
   */
  readonly order: 'apply' | 'check' | 'remove' | 'leave';
  /** Names the custom resource that orders, in the objects themselves. */
  readonly owner: string;
}

/** What came of it. */
export interface ObjectOutcome {
  /** The commands that a person may want to run: deleting NodePools drains nodes. */
  readonly commands: readonly string[];
  /** What somebody changed since it was applied. */
  readonly changed: readonly string[];
}

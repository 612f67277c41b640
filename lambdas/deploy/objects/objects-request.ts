/** The request to the function that talks to the cluster. It cannot choose the objects. */
export interface ObjectsRequest {
  /**
   * - `apply`: apply the objects, as admin
   * - `check`: check that they are as applied
   * - `remove`: delete them, the deploying role's own rights last
   * - `leave`: delete those rights only
   */
  readonly action: 'apply' | 'check' | 'remove' | 'leave';
  /** The requesting custom resource, for the annotation of its objects. */
  readonly owner: string;
}

export interface ObjectOutcome {
  /** The commands that a person may want to run: deleting NodePools drains nodes. */
  readonly commands: readonly string[];
  /** What somebody changed since it was applied. */
  readonly changed: readonly string[];
}

/** One entry under `nodePools`, as it will be written. */
export interface ConfigEntry {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Remarks on settings, by key; one line each. */
  readonly remarks: Readonly<Record<string, string | readonly string[]>>;
  /** Remarks on the entry as a whole. */
  readonly about?: readonly string[];
}

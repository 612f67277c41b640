export interface ConfigEntry {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Remarks on settings, by key; one line each. */
  readonly remarks: Readonly<Record<string, string | readonly string[]>>;
  readonly about?: readonly string[];
}

/** One file of a function's code. */
export interface BundleFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

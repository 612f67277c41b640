import type { BuildOptions } from 'esbuild';

export declare const commandLineOptions: BuildOptions & { readonly external: readonly string[] };
export declare function buildCommandLine(): Promise<void>;

import type { Plugin } from 'esbuild';

/** @kubernetes/client-node says nothing about side effects and has none: without this, one class would bring 1,500 files along. */
export const shakenClient: Plugin = {
  name: 'shaken-client',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^(@kubernetes\/client-node$|\.)/ }, async ({ path, pluginData, ...from }) => {
      const isItsOwn = /[\\/]@kubernetes[\\/]client-node[\\/]/.test(from.importer);
      if (pluginData === shakenClient || (path.startsWith('.') && !isItsOwn)) return undefined;
      const { kind, resolveDir, importer } = from;
      const found = await resolve(path, { kind, resolveDir, importer, pluginData: shakenClient });
      return { path: found.path, sideEffects: false };
    });
  },
};

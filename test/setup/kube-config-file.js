const { join } = require('node:path');
const { version } = require('@kubernetes/client-node/package.json');

/** Where `one-file-client.ts` puts the class that reads kubeconfig files. */
module.exports = join(__dirname, '../../node_modules/.cache/headstart', `kube-config-${version}.cjs`);

import { stringify } from 'yaml';

export function kubeconfigFor(url: string, name = 'headstart-sandbox'): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: url } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}

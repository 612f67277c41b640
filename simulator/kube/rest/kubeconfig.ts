import { stringify } from 'yaml';

export function kubeconfigFor(url: string, options: { readonly token?: string; readonly name?: string } = {}): string {
  const { token, name = 'headstart-sandbox' } = options;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: url } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}

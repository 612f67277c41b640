/** Whose headroom an object is. */
export interface Owner {
  readonly account: string;
  readonly region: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly stack: string;
}

/** As the objects carry it: two stacks that meet in one namespace tell each other apart by it. */
export function ownerText({ account, region, cluster, namespace, stack }: Owner): string {
  return [account, region, cluster, namespace, stack].join('/');
}

interface Named {
  readonly kind: string;
  readonly name: string;
}

/**
 * The commands that delete what the config no longer contains, for a person to run:
 * deleting a NodePool drains its nodes, so Headstart never does it.
 */
export function deleteCommands(
  present: readonly Named[],
  wanted: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[],
): readonly string[] {
  const kept = new Set(wanted.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  return ['NodePool', 'EC2NodeClass'].flatMap((kind) => {
    const gone = present.filter((object) => object.kind === kind && !kept.has(`${kind}/${object.name}`));
    const names = [...new Set(gone.map(({ name }) => name))].sort();
    return names.length === 0 ? [] : [`kubectl delete ${kind.toLowerCase()} ${names.join(' ')}`];
  });
}

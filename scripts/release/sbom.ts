/** A package whose code is part of the release. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** As package-lock.json has it: `sha512-…` in base64. */
  readonly integrity?: string;
}

export interface Release {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  /** The time of the commit, so that the same commit makes the same file. */
  readonly at: Date;
}

/** The list of what is in the tarball, in CycloneDX 1.6. */
export function sbom(release: Release, components: readonly Component[]) {
  const { name, version, license, description, at } = release;
  const root = purl(name, version);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        type: 'application',
        'bom-ref': root,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: root,
      },
    },
    components: components.map((one) => ({
      type: 'library',
      'bom-ref': purl(one.name, one.version),
      ...nameParts(one.name),
      version: one.version,
      scope: 'required',
      ...(one.integrity !== undefined && { hashes: [hashOf(one.integrity)] }),
      licenses: [licenseOf(one.license)],
      purl: purl(one.name, one.version),
    })),
    dependencies: [{ ref: root, dependsOn: components.map((one) => purl(one.name, one.version)) }],
  };
}

/** https://github.com/package-url/purl-spec: the scope is the namespace, with its @ encoded. */
export function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function nameParts(name: string): { readonly group?: string; readonly name: string } {
  const [scope, rest] = name.split('/');
  return rest === undefined ? { name } : { group: scope ?? '', name: rest };
}

function licenseOf(license: string) {
  return /[ ()]/.test(license) ? { expression: license.replace(/^\((.*)\)$/, '$1') } : { license: { id: license } };
}

function hashOf(integrity: string) {
  const [algorithm = '', digest = ''] = integrity.split('-');
  const content = Buffer.from(digest, 'base64').toString('hex');
  return { alg: algorithm.replace('sha', 'SHA-'), content };
}

/** The domains of AWS's endpoints, by region prefix; all other regions are commercial. */
const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/^cn-/, 'amazonaws.com.cn'],
  [/^eusc-/, 'amazonaws.eu'],
  [/^us-iso-/, 'c2s.ic.gov'],
  [/^us-isob-/, 'sc2s.sgov.gov'],
  [/^us-isof-/, 'csp.hci.ic.gov'],
  [/^eu-isoe-/, 'cloud.adc-e.uk'],
];

export function dnsSuffix(region: string): string {
  return SUFFIXES.find(([regions]) => regions.test(region))?.[1] ?? 'amazonaws.com';
}

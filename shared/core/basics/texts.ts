/** A map with every value as text: Kubernetes takes quantities as text, and configs and some objects have numbers. */
export function texts(map: Readonly<Record<string, string | number>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
}

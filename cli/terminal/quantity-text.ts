/** A quantity in Kubernetes notation: `4Gi`, `500m`. */
export function quantityText(resource: string, value: number): string {
  if (resource === 'memory' || resource.includes('storage')) {
    for (const [unit, size] of [
      ['Gi', 2 ** 30],
      ['Mi', 2 ** 20],
      ['Ki', 2 ** 10],
    ] as const)
      if (value % size === 0 && value >= size) return `${value / size}${unit}`;
    return String(value);
  }
  return Number.isInteger(value) ? String(value) : `${Math.round(value * 1_000)}m`;
}

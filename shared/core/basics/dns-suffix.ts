/** The domain of AWS's endpoints in a region: China has one of its own. */
export function dnsSuffix(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

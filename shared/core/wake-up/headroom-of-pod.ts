/** The headroom of ours that a pause pod of this name belongs to: keys are so short that no part of it is cut off. */
export function headroomOfPod(pod: string, headrooms: readonly string[]): string | undefined {
  // A ReplicaSet adds a hash to it, and a pod a few characters more.
  const headroom = pod.split('-').slice(0, -2).join('-');
  return headrooms.includes(headroom) ? headroom : undefined;
}

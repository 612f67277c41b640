/** Why a node is about to be taken away; `interruptions.on` picks among them. */
export const INTERRUPTION_CAUSES = ['spot', 'rebalance', 'capacityReservation', 'health', 'stateChange'] as const;
export type InterruptionCause = (typeof INTERRUPTION_CAUSES)[number];

/**
 * How much of what is many a run takes: all of it with OCTAVO_FAULT_ROUNDS above 1, as
 * `npm run test:long -- --whole` sets it, else what leaves a run short.
 */
const WANTED = process.env.OCTAVO_FAULT_ROUNDS

export const IS_WHOLE = Number(WANTED ?? 1) > 1

/** Rounds of a fault: as many as are wanted, else what a short run takes. */
export function faultRounds(inShortRun: number): number {
  return WANTED === undefined ? inShortRun : Number(WANTED)
}

/** One in `every` items, the first among them; all of them in a whole run. */
export function sampleOf<Item>(items: readonly Item[], every: number): Item[] {
  return items.filter((_item, index) => IS_WHOLE || index % every === 0)
}

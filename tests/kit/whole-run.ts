/**
 * Controls how many repetitions a run makes: all of them with OCTAVO_FAULT_ROUNDS above 1, as set by
 * `npm run test:long -- --whole`, otherwise few enough to keep the run short.
 */
const WANTED = process.env.OCTAVO_FAULT_ROUNDS

export const IS_WHOLE = Number(WANTED ?? 1) > 1

/** Returns the number of rounds of a fault: OCTAVO_FAULT_ROUNDS, or `inShortRun` if unset. */
export function faultRounds(inShortRun: number): number {
  return WANTED === undefined ? inShortRun : Number(WANTED)
}

/** Returns every `every`-th item, starting with the first, or all items in a whole run. */
export function sampleOf<Item>(items: readonly Item[], every: number): Item[] {
  return items.filter((_item, index) => IS_WHOLE || index % every === 0)
}

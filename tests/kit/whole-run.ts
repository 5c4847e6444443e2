/** How much of what is many a run takes: all of it with OCTAVO_FAULT_ROUNDS above 1, else what leaves a run short. */
export const IS_WHOLE = Number(process.env.OCTAVO_FAULT_ROUNDS ?? 1) > 1

/** One in `every` items, the first among them; all of them in a whole run. */
export function sampleOf<Item>(items: readonly Item[], every: number): Item[] {
  return items.filter((_item, index) => IS_WHOLE || index % every === 0)
}

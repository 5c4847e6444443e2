/** Numbers that look like chance, and are the same everywhere for the same seed. */

/** A whole number of 0 and above, below the bound. */
export type Random = (below: number) => number

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = (seed * 0x9e3779b9) >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item
}

/** Pseudorandom numbers that are the same on every machine for the same seed. */

/** Returns an integer from 0 up to, but not including, `below`. */
export type Random = (below: number) => number

/** Mulberry32 generator. */
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

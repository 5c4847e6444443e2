/** Distance between two names. */

/** Longer names are only compared for equality. */
const MAX_NAME = 200
/** Three reusable rows of the distance table. Safe, because calls do not overlap. */
const ROWS = [
  new Int32Array(MAX_NAME + 2),
  new Int32Array(MAX_NAME + 2),
  new Int32Array(MAX_NAME + 2),
] as const

/**
 * Returns the edit distance, which counts a swap of adjacent letters as one edit. Only computes cells near
 * the diagonal, and returns `limit + 1` if the distance exceeds `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  if (a.length > MAX_NAME || b.length > MAX_NAME) return a === b ? 0 : limit + 1
  let [beforeLast, last, row] = ROWS as readonly [Int32Array, Int32Array, Int32Array]
  for (let j = 0; j <= b.length; j++) last[j] = j
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit)
    const to = Math.min(b.length, i + limit)
    // Cells outside the band count as too far.
    row[from - 1] = i <= limit ? i : limit + 1
    if (to < b.length) row[to + 1] = limit + 1
    let minimum = row[from - 1] as number
    for (let j = from; j <= to; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let distance = Math.min((last[j - 1] as number) + (isSame ? 0 : 1), (last[j] as number) + 1)
      distance = Math.min(distance, (row[j - 1] as number) + 1)
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      ) {
        distance = Math.min(distance, (beforeLast[j - 2] as number) + 1)
      }
      row[j] = distance
      if (distance < minimum) minimum = distance
    }
    if (minimum > limit) return limit + 1
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return Math.min(last[b.length] as number, limit + 1)
}

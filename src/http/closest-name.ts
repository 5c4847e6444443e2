/** Finds the name that a mistyped one was probably meant to be. */

/** Null when no known name is near enough: at most a third of its letters may differ, or case and separators only. */
export function closestName(given: string, known: readonly string[]): string | null {
  if (given.length > 64) return null
  let best: { name: string; distance: number } | null = null
  for (const name of known) {
    const distance = editDistance(plain(given), plain(name))
    if (distance <= Math.ceil(name.length / 3) && (best === null || distance < best.distance)) {
      best = { name, distance }
    }
  }
  return best?.name ?? null
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** Insertions, deletions, replacements, and swaps of two neighbours, each counted as one. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      let least = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + same)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) least = Math.min(least, at(beforeLast, column - 2) + 1)
      current.push(least)
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}

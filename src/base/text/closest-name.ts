/** Finds the known name that a misspelled name probably means. */
import { editDistance } from './edit-distance.ts'

/** Returns the closest name, or null. Only a third of the letters, or case and separators, may differ. */
export function closestName(given: string, known: readonly string[]): string | null {
  if (given.length > 64) return null
  let best: { name: string; distance: number } | null = null
  for (const name of known) {
    const limit = Math.min(Math.ceil(name.length / 3), (best?.distance ?? Number.POSITIVE_INFINITY) - 1)
    const distance = editDistance(normalizeName(given), normalizeName(name), limit)
    if (distance <= limit) best = { name, distance }
  }
  return best?.name ?? null
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

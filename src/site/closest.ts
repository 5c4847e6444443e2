/** “Did you mean …?” for paths, cheap enough for a site with thousands of broken links. */

export interface ClosestFinder {
  /** The candidate most like `path`, or null when none is near. */
  find(path: string): string | null
}

/** Characters compared at most over the life of one finder; after that only cheap matches are suggested. */
const COMPARISON_BUDGET = 15_000_000

/** Of candidates with one last segment (thousands may be called `overview`) only so many are compared. */
const MAX_SAME_NAME = 400

/** One-off form of `createClosestFinder`. */
export function closestOf(path: string, candidates: Iterable<string>): string | null {
  return createClosestFinder(candidates).find(path)
}

/**
 * Looks first for a candidate that differs only in case, extension or folder, then for the least edit distance of
 * the last segment. Answers are remembered by path.
 */
export function createClosestFinder(candidates: Iterable<string>): ClosestFinder {
  const byName = new Map<string, string[]>()
  for (const candidate of candidates) {
    const name = nameOf(candidate)
    const same = byName.get(name)
    if (same) same.push(candidate)
    else byName.set(name, [candidate])
  }
  const answers = new Map<string, string | null>()
  let budget = COMPARISON_BUDGET

  const nearestName = (name: string): string | null => {
    const allowed = Math.min(3, Math.floor(name.length / 3))
    let best: string | null = null
    let bestDistance = allowed + 1
    for (const other of byName.keys()) {
      if (Math.abs(other.length - name.length) >= bestDistance || budget <= 0) continue
      budget -= name.length * 3
      const distance = editDistance(name, other, bestDistance - 1)
      if (distance < bestDistance) {
        best = other
        bestDistance = distance
      }
    }
    return best
  }

  return {
    find(path) {
      const known = answers.get(path)
      if (known !== undefined) return known
      const name = nameOf(path)
      const near = byName.has(name) ? name : nearestName(name)
      const found = (near !== null && byName.get(near)) || []
      const answer = mostAlike(path, found.slice(0, MAX_SAME_NAME))
      answers.set(path, answer)
      return answer
    },
  }
}

function nameOf(path: string): string {
  const parts = partsOf(path)
  return parts[parts.length - 1] ?? ''
}

function partsOf(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/\.(mdx?|jsx?|tsx?)$/, '')
    .replace(/(.)\/index$/, '$1')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
}

/** The candidate that shares most folders; ties go to the shorter path, then to the first by code unit. */
function mostAlike(path: string, candidates: readonly string[]): string | null {
  const wanted = new Set(partsOf(path))
  let best: string | null = null
  let bestScore = Number.NEGATIVE_INFINITY
  for (const candidate of candidates) {
    const parts = partsOf(candidate)
    const score = parts.filter((part) => wanted.has(part)).length * 100 - candidate.length / 100
    if (score > bestScore || (score === bestScore && best !== null && candidate < best)) {
      best = candidate
      bestScore = score
    }
  }
  return best
}

/** Levenshtein distance, computed only near the diagonal; `limit + 1` when it is more than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(b.length + 1).fill(limit + 1)
    if (i <= limit) row[0] = i
    let least = row[0] as number
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const replace = (previous[j - 1] as number) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      row[j] = Math.min(replace, (previous[j] as number) + 1, (row[j - 1] as number) + 1)
      least = Math.min(least, row[j] as number)
    }
    if (least > limit) return limit + 1
    previous = row
  }
  return Math.min(previous[b.length] as number, limit + 1)
}

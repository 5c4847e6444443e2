/** “Did you mean …?” for paths, fast enough for a site with thousands of broken links. */
import { editDistance } from '../../base/text/edit-distance.ts'

export interface ClosestFinder {
  find(path: string): string | null
}

/** Maximum number of edit distance cells computed by one finder; after that, only equal names match. */
const COMPARISON_BUDGET = 20_000_000

/** Maximum number of compared candidates with the same last segment (thousands may be called `overview`). */
const MAX_SAME_NAME_CANDIDATES = 400

export function findClosest(path: string, candidates: Iterable<string>): string | null {
  return createClosestFinder(candidates).find(path)
}

/**
 * Prefers a candidate that differs only in case, extension or folder, then the smallest edit distance of the last
 * segment. Results are cached by path.
 */
export function createClosestFinder(candidates: Iterable<string>): ClosestFinder {
  const byName = new Map<string, string[]>()
  for (const candidate of candidates) {
    const name = getName(candidate)
    const same = byName.get(name)
    if (same) same.push(candidate)
    else byName.set(name, [candidate])
  }
  const byLength = Map.groupBy(byName.keys(), (name) => name.length)
  const answers = new Map<string, string | null>()
  let budget = COMPARISON_BUDGET

  const nearestName = (name: string): string | null => {
    let best: string | null = null
    const { length } = name.replace(/\.\w+$/, '')
    let bestDistance = Math.min(3, Math.floor((length + 1) / 3)) + 1
    for (let offset = 0; offset < bestDistance; offset++) {
      for (const near of new Set([name.length - offset, name.length + offset])) {
        for (const other of byLength.get(near) ?? []) {
          if (budget <= 0 || bestDistance <= offset) return best
          budget -= name.length * (2 * bestDistance - 1)
          const distance = editDistance(name, other, bestDistance - 1)
          if (distance >= bestDistance) continue
          best = other
          bestDistance = distance
        }
      }
    }
    return best
  }

  return {
    find(path) {
      const cached = answers.get(path)
      if (cached !== undefined) return cached
      const name = getName(path)
      const near = byName.has(name) ? name : nearestName(name)
      const found = (near !== null && byName.get(near)) || []
      const best = findMostSimilar(path, found.slice(0, MAX_SAME_NAME_CANDIDATES))
      const answer = best !== null && isNear(path, best, found.length === 1) ? best : null
      answers.set(path, answer)
      return answer
    },
  }
}

/**
 * A candidate with a unique name may be in any folder. Otherwise, and for typos in the name, at least half of
 * the folders must be shared. A different number in a series is not a typo: `step-4` is not `step-5`.
 */
function isNear(path: string, candidate: string, isOnly: boolean): boolean {
  const [wanted, name] = [getName(path), getName(candidate)]
  if (wanted !== name && wanted.replace(/\d+/g, '0') === name.replace(/\d+/g, '0')) return false
  const [folders, others] = [splitFolders(path), splitFolders(candidate)]
  const shared = folders.filter((folder) => others.includes(folder)).length
  if (shared * 2 >= Math.max(folders.length, others.length)) return true
  // Many operations end in `{id}`, which does not indicate the intended operation.
  return isOnly && !name.startsWith('{') && editDistance(wanted, name, 3) * 8 <= name.length
}

/** Splits a path into folders, without the method of an operation. */
function splitFolders(path: string): string[] {
  return splitParts(path)
    .slice(0, -1)
    .filter((part) => !part.endsWith(' '))
}

function getName(path: string): string {
  const parts = splitParts(path)
  return parts[parts.length - 1] ?? ''
}

function splitParts(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/\.(mdx?|jsx?|tsx?)$/, '')
    .replace(/(.)\/index$/, '$1')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
}

/** Returns the candidate with most shared folders; ties go to the shorter path, then to the first by code unit. */
function findMostSimilar(path: string, candidates: readonly string[]): string | null {
  const wanted = new Set(splitParts(path))
  let best: string | null = null
  let bestScore = Number.NEGATIVE_INFINITY
  for (const candidate of candidates) {
    const parts = splitParts(candidate)
    const score = parts.filter((part) => wanted.has(part)).length * 100 - candidate.length / 100
    if (score > bestScore || (score === bestScore && best !== null && candidate < best)) {
      best = candidate
      bestScore = score
    }
  }
  return best
}

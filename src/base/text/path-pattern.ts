/**
 * Path patterns: `guides/**`, `*.mdx`, `/api/*`. `*` matches part of one name, `**` any number of folders. A pattern
 * whose last name has no `*` also matches everything below that folder. Matching takes time proportional to both
 * lengths, whatever the pattern.
 */

/** Returns whether a pattern matches, or there are no patterns. */
export function matchesAny(patterns: readonly string[], path: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesPath(pattern, path))
}

export function matchesPath(pattern: string, path: string): boolean {
  const wanted = splitPath(pattern)
  if (wanted.at(-1)?.includes('*') === false) wanted.push('**')
  return matchesAll(
    wanted,
    splitPath(path),
    (one, name) => matchesAll([...one], [...name], isEqual, '*'),
    '**',
  )
}

const isEqual = (one: string, other: string) => one === other

function splitPath(path: string): string[] {
  return path.split('/').filter((name) => name !== '')
}

/** Matches parts against a pattern in which `star` stands for any number of parts. Extends only the latest `star`. */
function matchesAll(
  pattern: readonly string[],
  parts: readonly string[],
  matchesPart: (pattern: string, part: string) => boolean,
  star: string,
): boolean {
  let at = 0
  let partIndex = 0
  let retry: { at: number; partIndex: number } | null = null
  while (partIndex < parts.length) {
    const wanted = pattern[at]
    if (wanted === star) retry = { at: ++at, partIndex }
    else if (wanted !== undefined && matchesPart(wanted, parts[partIndex] as string)) {
      at++
      partIndex++
    } else if (retry === null) return false
    else {
      retry.partIndex++
      ;({ at, partIndex } = retry)
    }
  }
  return pattern.slice(at).every((rest) => rest === star)
}

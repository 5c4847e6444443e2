/**
 * Patterns of paths, as people write them: `guides/**`, `*.mdx`, `/api/*`. `*` stands for a part of one name, `**` for any
 * number of folders; a pattern whose last name has no `*` means a folder with all below it as well. Takes time in
 * proportion to both lengths, whatever the pattern.
 */

/** Whether one of the patterns matches; without any, every path does. */
export function matchesAny(patterns: readonly string[], path: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesPath(pattern, path))
}

export function matchesPath(pattern: string, path: string): boolean {
  const wanted = namesOf(pattern)
  if (wanted.at(-1)?.includes('*') === false) wanted.push('**')
  return matchesAll(wanted, namesOf(path), (one, name) => matchesAll([...one], [...name], isEqual, '*'), '**')
}

const isEqual = (one: string, other: string) => one === other

/** Slashes at both ends, and two in a row, mean nothing. */
function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '')
}

/** `star` stands for any number of parts: the last one takes one more whenever what follows does not fit. */
function matchesAll(
  pattern: readonly string[],
  parts: readonly string[],
  fits: (pattern: string, part: string) => boolean,
  star: string,
): boolean {
  let at = 0
  let place = 0
  let retry: { at: number; place: number } | null = null
  while (place < parts.length) {
    const wanted = pattern[at]
    if (wanted === star) retry = { at: ++at, place }
    else if (wanted !== undefined && fits(wanted, parts[place] as string)) {
      at++
      place++
    } else if (retry === null) return false
    else {
      retry.place++
      ;({ at, place } = retry)
    }
  }
  return pattern.slice(at).every((rest) => rest === star)
}

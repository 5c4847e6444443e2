/**
 * The next place at or behind `from` where a global pattern begins, -1 where there is none. Asked with places that
 * grow, it looks at every character once: what was found ahead is remembered.
 */
export function nextOf(text: string, pattern: RegExp): (from: number) => number {
  let asked = 0
  let found = -2
  return (from) => {
    if (found !== -2 && from >= asked && (found === -1 || from <= found)) return found
    pattern.lastIndex = from
    asked = from
    found = pattern.exec(text)?.index ?? -1
    return found
  }
}

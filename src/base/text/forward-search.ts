/**
 * Returns a function that finds the next match position of a global pattern at or after `from`, or -1. If `from`
 * increases from call to call, each character is scanned once, because the next match is remembered.
 */
export function createForwardSearch(text: string, pattern: RegExp): (from: number) => number {
  let searchedFrom = 0
  let found = -2
  return (from) => {
    if (found !== -2 && from >= searchedFrom && (found === -1 || from <= found)) return found
    pattern.lastIndex = from
    searchedFrom = from
    found = pattern.exec(text)?.index ?? -1
    return found
  }
}

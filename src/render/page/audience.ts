/**
 * What is written for agents or for people alone. The isolate marks it with elements that no page holds: the Markdown
 * twin keeps the one, the page the other.
 */

/** The HTML without what is for agents. An element that never ends is for everybody. */
export function forReaders(html: string): string {
  let kept = ''
  let at = 0
  let start = 0
  let depth = 0
  for (const mark of html.matchAll(/<(\/?)o-agents>/g)) {
    if (mark[1] === '') {
      if (depth === 0) {
        kept += html.slice(at, mark.index)
        start = mark.index
        at = start
      }
      depth += 1
    } else if (depth > 0) {
      depth -= 1
      if (depth === 0) at = mark.index + mark[0].length
    }
  }
  return (kept + html.slice(at)).replace(/<\/?o-(?:humans|agents)>/g, '')
}

/** Splits Markdown at its headings, except in code blocks. */

export interface MarkdownSection {
  id: null
  /** Null for text before the first heading. */
  title: string | null
  /** 1 for `#`; 0 for text before the first heading. */
  level: number
  /** Includes the heading. */
  text: string
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^(#{1,6}) (.*)$/

export function markdownSections(markdown: string): MarkdownSection[] {
  const sections = [{ id: null, title: null as string | null, level: 0, lines: [] as string[] }]
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    const heading = fence === null ? HEADING.exec(line) : null
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null
    if (heading) {
      const [, marks = '', title = ''] = heading
      sections.push({ id: null, title: plainHeading(title.trimStart()), level: marks.length, lines: [] })
    }
    sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }))
}

/** Returns the section with this heading, including its subsections; null if there is none. */
export function findSection(markdown: string, wanted: string): string | null {
  const sections = markdownSections(markdown)
  const key = headingKey(wanted)
  const start = sections.findIndex(({ title }) => title !== null && headingKey(title) === key)
  const level = sections[start]?.level
  if (level === undefined) return null
  const after = sections.findIndex((section, index) => index > start && section.level <= level)
  return sections
    .slice(start, after < 0 ? undefined : after)
    .map(({ text }) => text)
    .join('\n\n')
}

/** Normalizes `Set up a proxy` to its anchor `set-up-a-proxy`. */
function headingKey(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function plainHeading(title: string): string {
  return title
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[`*]/g, '')
    .trim()
}

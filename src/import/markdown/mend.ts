/** A page that came out as no MDX is made one: what cannot be read as MDX becomes plain text. */
import { parseBody } from '../../render/compile/compile-repair.ts'

/** Longer pages are left to the renderer, which mends what it shows in a process that can be ended. */
const LONGEST = 200_000

export interface Mended {
  text: string
  /** 1-based lines of the text given that were mended; null for the page as a whole. */
  lines: (number | null)[]
}

export function mendBody(body: string): Mended {
  if (body.length > LONGEST) return { text: body, lines: [] }
  const { text, notices } = parseBody(body, { isMarkdownFile: false, hasMath: true })
  const mistakes = notices.filter(({ code }) => code === 'mdx.syntax' || code === 'mdx.angle_brackets')
  if (mistakes.length === 0) return { text: body, lines: [] }
  return { text, lines: [...new Set(mistakes.map(({ line }) => line))] }
}

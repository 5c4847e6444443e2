/** Renders formulas to HTML with KaTeX. */
import katex from 'katex'

export type MathResult = { html: string } | { error: string }

/** Longer formulas are shown as source. */
const MAX_FORMULA_CHARACTERS = 20_000

export function renderMath(tex: string, isBlock: boolean): MathResult {
  if (tex.length > MAX_FORMULA_CHARACTERS) return { error: 'the formula is too long' }
  try {
    const html = katex.renderToString(tex, {
      displayMode: isBlock,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      output: 'htmlAndMathml',
      maxExpand: 1000,
      maxSize: 100,
    })
    return { html }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { error: message.replace(/^KaTeX parse error: /, '').slice(0, 200) }
  }
}

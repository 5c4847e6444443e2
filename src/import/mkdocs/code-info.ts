/** The line that opens a code block, in the forms that Python-Markdown knows. */
import { type CodeOptions, infoWords, splitOption } from '../markdown/blocks.ts'

/** `py title="x" hl_lines="1 3-5" linenums="1"`, also in braces: `{ .py .annotate title="x" }`. */
export function codeOptions(info: string): CodeOptions {
  const isBraced = /^\{.*\}$/.test(info)
  const words = infoWords(isBraced ? info.slice(1, -1) : info.replace(/\s\{\s?([.#][^{}]*)\}$/, ' $1'))
  const options = {
    language: '',
    title: null as string | null,
    highlight: null as string | null,
    hasLineNumbers: false,
    unknown: [] as string[],
  }
  for (const word of words) {
    const option = splitOption(word)
    if (option?.name === 'title') options.title = option.value
    else if (option?.name === 'hl_lines')
      options.highlight = option.value
        .trim()
        .split(/[\s,]+/)
        .join(',')
    else if (option?.name === 'linenums') options.hasLineNumbers = true
    else if (option === null && options.language === '' && !word.startsWith('#'))
      options.language = word.replace(/^\./, '')
    else options.unknown.push(word.replace(/^\./, ''))
  }
  return options
}

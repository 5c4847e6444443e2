/** Words of a description as Markdown that the compiler of pages can read: with plain HTML, and nothing that runs. */

const CODE =
  /(^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\r\n]*\r?\n[\s\S]*?^[ \t]*\2[^\n]*$|(?<!`)(`+)(?!`)[\s\S]*?[^`]\3(?!`))/m
const HTML_TAG =
  /<(?!\/?(?:a|abbr|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|kbd|li|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)\b)/g

/** Longer texts are shown as they are, without a search for code. */
const LONG_CHARACTERS = 50_000

/** A description is Markdown with HTML and nothing more: braces and other tags in it are text. */
export function asMarkdown(text: string): string {
  if (text.length > LONG_CHARACTERS) return text.replace(/[{}<`]/g, (mark) => `&#${mark.charCodeAt(0)};`)
  return text
    .split(CODE)
    .map((part, index) => {
      if (index % 4 === 1) return part
      if (index % 4 !== 0) return ''
      return part.replace(/[{}]/g, '\\$&').replace(HTML_TAG, '&lt;')
    })
    .join('')
}

/** True for a line that means the same with and without Markdown. */
export function isPlain(text: string): boolean {
  return !/[`*_#<>[\]{}|\\~!&:"'\n]|--|\.\.\.|^\s*(?:[-+]|\d+[.)])\s|www\.|@/.test(text)
}

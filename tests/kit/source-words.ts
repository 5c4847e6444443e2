/** Words in the pages of imported sites: syntax is removed by rules, everything else is text. */
import { parse } from 'yaml'
import type { ImportKind } from '../../src/import/imported-site.ts'
import { wordsIn } from './rendered-words.ts'

/** Pattern to remove from a page, and the part of the match that is text. */
type Rule = readonly [pattern: RegExp, text: string | ((...found: string[]) => string)]

/** Attributes and options whose values are visible to readers. */
const SHOWN = /\b(?:title|label|alt|description|summary|text|name)(?:=|:\s)(?:"([^"]*)"|'([^']*)')/g

const shownValues = (source: string): string =>
  [...source.matchAll(SHOWN)].map(([, double, single]) => ` ${double ?? single} `).join('')

const ELEMENTS =
  'a|b|br|code|details|div|figcaption|figure|hr|i|img|mark|p|pre|span|strong|summary|table|tbody|td|th|thead|tr'
/** HTML tags; capitalized names are components. Any other name in angle brackets is text. */
const TAG = new RegExp(`</?(?:${ELEMENTS}|[A-Z]\\w*)(?=[\\s/>])[^<>]*>`, 'g')

const MARKDOWN: readonly Rule[] = [
  [/<!--[\s\S]*?-->/g, ''],
  [/<style>[\s\S]*?<\/style>/g, ''],
  [TAG, (tag) => ` ${shownValues(tag)} `],
  // Link URLs; the title of a link is text.
  [/\]\([^()\s]*(?:\s+"([^"]*)")?\)/g, '] $1 '],
  [/^\[[^\]^]+\]:\s*\S+(?:\s+"([^"]*)")?$/gm, '$1'],
  [/\]\[[^\]]*\]/g, ']'],
  [/(?<!\w):[a-z][\w+-]*:/g, ''],
  [/^[ \t]*\d+\.(?=\s)/gm, ''],
  [/&\w+;/g, ' '],
]

const OF_KIND: Readonly<Record<ImportKind, readonly Rule[]>> = {
  docusaurus: [
    [/^import\b[^'"]*['"][^'"]*['"];?$/gm, ''],
    [/^export\b[\s\S]*?\n\n/gm, ''],
    [/^[ \t>]*:{3,}[a-z]*\[?(.*?)\]?$/gm, '$1'],
    ...MARKDOWN,
    // Expressions and heading ids.
    [/\{[^{}]*\}/g, ''],
  ],
  mkdocs: [
    [/^[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[a-z ]*(?:"(.*)")?$/gm, '$1'],
    [/^[ \t]*===[+!]?[ \t]+"(.*)"$/gm, '$1'],
    [/^[ \t]*--8<--.*$/gm, ''],
    [/\{>>.*?<<\}/g, ''],
    // Attribute lists.
    [/\{:?\s*(?:(?:[.#][\w-]+|[\w-]+=(?:"[^"]*"|[\w-]+))\s*)+\}/g, ''],
    [/^\*\[[^\]]*\]:/gm, ''],
    [/\[\^\w+\]:?/g, ''],
    [/\[[ x]\]/g, ''],
    [/^\[TOC\]$/gm, ''],
    ...MARKDOWN,
  ],
  gitbook: [[/\{%(?!\s*raw\b)[^{}]*?%\}/g, shownValues], [/\{#[\w-]+\}/g, ''], ...MARKDOWN],
}

const HIGHLIGHT_COMMENT = /highlight-(?:next-line|start|end)/

/** Returns the words of a page, or of another file that a page includes verbatim. */
export function wordsOfSource(kind: ImportKind, file: string, source: string): string[] {
  if (!/\.mdx?$/.test(file)) return wordsIn(source)
  const head = /^---\n([\s\S]*?)\n---\n/.exec(source)
  const { title, description } = head ? parse(head[1] as string) : {}
  const words = wordsIn(`${title ?? ''} ${description ?? ''}`)
  let prose = ''
  let fence: string | null = null
  for (const line of source.slice(head?.[0].length ?? 0).split('\n')) {
    const [, mark = '', info = ''] = /^\s*(`{3,})(.*)$/.exec(line) ?? []
    if (mark === '' && fence === null) prose += `${line}\n`
    else if (mark === '') words.push(...(HIGHLIGHT_COMMENT.test(line) ? [] : wordsIn(line)))
    else {
      if (fence === null) words.push(...wordsIn(shownValues(info)))
      fence = fence === null ? mark : null
    }
  }
  for (const [pattern, text] of OF_KIND[kind]) prose = prose.replace(pattern, text as string)
  return [...words, ...wordsIn(prose)]
}

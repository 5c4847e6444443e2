/** Checks that every word of a page appears in its text, in its Markdown and in the search index. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../../src/base/errors/problem.ts'
import { silentLog } from '../../src/base/log.ts'
import { openBodyRenderer } from '../../src/render/bodies/body-renderer.ts'
import type { BodyRequest, RenderedBody } from '../../src/render/page/body.ts'
import { requestOf } from './body-request.ts'
import { bodyText } from './markup-text.ts'
import { missingWords, wordsIn, wordsOfPage } from './rendered-words.ts'
import { patience } from './until.ts'
import { type WordPage, wordPage } from './word-grammar.ts'

/** Maximum number of faults printed by a failed run. */
const MOST_SHOWN = 5
const AT_ONCE = 50

/** Fails with the generated pages that lose, repeat or reorder words. */
export async function findLostWords({
  pages,
  ending,
}: {
  pages: number
  ending: 'mdx' | 'md'
}): Promise<void> {
  const made = Array.from({ length: pages }, (_, index) => wordPage(index + 1))
  await findFaults(
    made.map((page) => ({
      request: requestOf(page.source, { file: `page.${ending}` }),
      // Inside an HTML block of a Markdown file, a fence is not code, so a comment in it is a real comment.
      faultsOf: (body) => wordFaults(ending === 'md' ? withoutComments(page) : page, body),
    })),
  )
}

function withoutComments({ source, words }: WordPage): WordPage {
  const hidden = new Set(
    (source.match(/<!--[\s\S]*?-->/g) ?? []).flatMap((comment) => comment.match(WORD) ?? []),
  )
  return { source, words: words.filter((word) => !hidden.has(word)) }
}

interface Checked {
  request: BodyRequest
  faultsOf(body: RenderedBody): string[]
}

async function findFaults(pages: readonly Checked[]): Promise<void> {
  const renderer = openBodyRenderer({ children: 2, log: silentLog })
  const faults: string[] = []
  try {
    for (let at = 0; at < pages.length; at += AT_ONCE) {
      const some = pages.slice(at, at + AT_ONCE).map(async ({ request, faultsOf }) => {
        const found = faultsOf((await renderer.render(request, patience())).body)
        if (found.length > 0) faults.push(`${request.file}: ${found.join('; ')}\n${request.source}`)
      })
      await Promise.all(some)
    }
  } finally {
    await renderer[Symbol.asyncDispose]()
  }
  const shown = faults.slice(0, MOST_SHOWN).join('\n\n-----\n\n')
  assert.equal(faults.length, 0, `${faults.length} of ${pages.length} pages:\n\n${shown}`)
}

const WORD = /kw\d+q/g
/** Link addresses that also appear as the text of their link. */
const ADDRESS = /\]\((?:https?:|mailto:)[^()\s]*\)/g

/** Returns words that are repeated, out of order, or missing without a problem reported on their line. */
function wordFaults({ source, words }: WordPage, body: RenderedBody): string[] {
  const told = new Set(body.problems.filter(isTold).map(({ line }) => line))
  const lineOf = new Map(
    source
      .split('\n')
      .flatMap((line, index) => (line.match(WORD) ?? []).map((word) => [word, index + 1] as const)),
  )
  return Object.entries(textsOf(body)).flatMap(([place, text]) => {
    const found: string[] = text.replace(ADDRESS, ']').match(WORD) ?? []
    const once = new Set<string>(found)
    const missing = words.filter((word) => !once.has(word) && !told.has(lineOf.get(word) ?? 0))
    const doubled = found.filter((word, index) => found.indexOf(word) !== index)
    const numbers = found.map((word) => Number(word.slice(2, -1)))
    const turned = found.filter((_word, index) => (numbers[index] ?? 0) < (numbers[index - 1] ?? 0))
    return [
      ...(missing.length > 0 ? [`${place} lacks ${missing.join(' ')}`] : []),
      ...(doubled.length > 0 ? [`${place} repeats ${doubled.join(' ')}`] : []),
      ...(doubled.length === 0 && turned.length > 0 ? [`${place} turns ${turned.join(' ')}`] : []),
    ]
  })
}

function isTold({ level }: Problem): boolean {
  return level !== 'hint'
}

function textsOf(body: RenderedBody): Record<'page' | 'twin' | 'search', string> {
  const { html, side } = bodyText(body)
  return {
    page: wordsOfPage(`<div id="content">${html}${side ?? ''}</div>`).join(' '),
    twin: body.markdown,
    search: body.sections.map(({ title, text }) => `${title ?? ''} ${text}`).join(' '),
  }
}

/** Fails with the pages below the folder that lose words. Repetitions are not checked. */
export async function findLostWordsOf(folder: string): Promise<void> {
  const files = globSync('**/*.{md,mdx}', { cwd: folder }).filter(
    (file) => !/(?:^|\/)_?snippets\//.test(file),
  )
  await findFaults(
    files.map((file) => {
      const source = readFileSync(join(folder, file), 'utf8').replace(/\r\n?/g, '\n')
      const [head = ''] = /^---\n[\s\S]*?\n---(?:\n|$)/.exec(source) ?? []
      return {
        request: requestOf(source.slice(head.length), { file, bodyLine: 1 }),
        faultsOf: (body) => {
          const words = proseWords(source.slice(head.length))
          return Object.entries(textsOf(body)).flatMap(([place, text]) => {
            const missing = missingWords(words, smallWords(text))
            return missing.length > 0 ? [`${place} lacks ${missing.join(' ')}`] : []
          })
        },
      }
    }),
  )
}

/**
 * Letters next to code or bold text form one word with it, which the search index and the visible text split
 * differently.
 */
const LETTER = String.raw`[\p{Script=Latin}\p{N}]`
const CODE_IN_WORD = new RegExp(`${LETTER}*(?:\`[^\`\n]*\`${LETTER}*)+`, 'gu')
const STYLED = String.raw`<(?:b|strong|i|em|u|s|sub|sup)>${LETTER}+</\w+>`
const BOLD = String.raw`\*{1,3}${LETTER}+\*{1,3}`
const STYLE_IN_WORD = new RegExp(
  `${LETTER}+(?:${STYLED})+${LETTER}*|(?:${STYLED})+${LETTER}+|${LETTER}+${BOLD}${LETTER}*|${BOLD}${LETTER}+`,
  'gu',
)
/** Nested braces, as deep as handlers in props go. */
const BRACES = Array.from({ length: 5 }).reduce<string>(
  (inner) => String.raw`\{(?:[^{}]|${inner})*\}`,
  String.raw`\{[^{}]*\}`,
)
/** Prop values may contain elements and angle brackets. */
const TAG = new RegExp(`</?[A-Za-z](?:[^<>{}"]|"[^"]*"|${BRACES})*>`, 'g')
/** An export that starts with an open bracket continues to the closing line, across empty lines. */
const LONG_EXPORT = /^export\b[^\n]*[({[][ \t]*\n[\s\S]*?\n[)}\]]+;?[ \t]*$/gm

/** Strips markup by pattern and returns the remaining words, all of which must be shown. */
function proseWords(source: string): string[] {
  const prose = withoutFences(source)
    .replace(/<!--[\s\S]*?-->|\{\s*\/\*[\s\S]*?\*\/\s*\}/g, '')
    .replace(LONG_EXPORT, '')
    .replace(/^(?:import|export)\b[\s\S]*?(?=\n[ \t]*\n)/gm, '')
    .replace(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, '')
    .replace(CODE_IN_WORD, ' ')
    .replace(STYLE_IN_WORD, ' ')
    .replace(TAG, ' ')
    .replace(/<\/?[A-Za-z][^<>]*>/g, ' ')
    .replace(/\{[^{}]*\}/g, ' ')
    .replace(/!?\[([^\][]*)\]\([^()\n]*\)/g, (whole, label: string) => (whole.startsWith('!') ? ' ' : label))
    .replace(/^\[[^\]]+\]:.*$/gm, '')
    .replace(/\[\^?[^\][]*\]|https?:\S+|&#?\w+;/g, ' ')
    .replace(/\$[^$\n]+\$|\$\$[\s\S]*?\$\$/g, ' ')
    .replace(/^[ \t>]*\d+[.)]/gm, '')
  return smallWords(prose)
}

/** A fence is closed by a line with at least as many of the same markers. */
function withoutFences(source: string): string {
  let open = ''
  const prose: string[] = []
  for (const line of source.split('\n')) {
    const [, mark = '', rest = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (open !== '') {
      if (mark.startsWith(open) && rest.trim() === '') open = ''
    } else if (mark !== '') open = mark
    else prose.push(line)
  }
  return prose.join('\n')
}

/**
 * Splits scripts without spaces into single characters, because their word boundaries depend on the rest of the line.
 */
function smallWords(text: string): string[] {
  return wordsIn(text).flatMap((word) => word.match(/[\p{Script=Latin}\p{N}]+|./gu) ?? [])
}

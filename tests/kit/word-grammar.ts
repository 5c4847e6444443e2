/** Generates pages of random constructs. */
import { oneOf, type Random, randomOf } from './random.ts'
import { BLOCKS, INLINE } from './word-constructs.ts'

/** Blocks used at most once per page, because they define a name. */
const ONCE = /\[\^a\]|\[ref\]|own-id|^export const|^import Other/

export interface WordPage {
  source: string
  /** In document order. */
  words: readonly string[]
}

/** Generates the page for a seed. Each word occurs once. */
export function wordPage(seed: number): WordPage {
  const random = randomOf(seed)
  const used = new Set<string>()
  const count = 1 + random(6)
  const blocks = Array.from({ length: count }, () => block(random, used, 0))
  let number = 0
  const words: string[] = []
  const source = blocks.join('\n\n').replaceAll('§', () => {
    const word = `kw${++number}q`
    words.push(word)
    return word
  })
  return { source: `${source}\n`, words }
}

function block(random: Random, used: Set<string>, depth: number): string {
  const form = oneOf(random, BLOCKS)
  if (ONCE.test(form) && (used.has(form) || depth > 0)) return line(random, 0)
  used.add(form)
  if (depth > 2 && form.includes('@b')) return line(random, 0)
  return form
    .split('\n')
    .map((text) => {
      const lead = /^[ >]*(?:[-*+] |\d[.)] )?/.exec(text)?.[0].replace(/[-*+\d.)]/g, ' ') ?? ''
      return text
        .replaceAll('@b', () => {
          const inner = Array.from({ length: 1 + random(2) }, () => block(random, used, depth + 1))
          return inner.join('\n\n').replaceAll('\n', `\n${lead}`)
        })
        .replaceAll('@i', () => line(random, 0).replaceAll('\n', `\n${lead}`))
    })
    .join('\n')
}

function line(random: Random, depth: number): string {
  const form = oneOf(random, INLINE)
  return form.replaceAll('@i', () => (depth > 2 ? '§' : line(random, depth + 1)))
}

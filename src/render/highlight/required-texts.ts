/**
 * Finds the text that a line must hold for a pattern to match. Most patterns of a grammar are found in no line of a block: to
 * look for a word is a fraction of the time in which an expression is compiled and run.
 */
import { type AlternativeElementNode, type AlternativeNode, parse } from 'oniguruma-parser/parser'

/** A longer list is not worth looking for. */
const MOST_TEXTS = 12

/** One of these stands in every match, behind where the search starts; null where nothing can be said. */
export function requiredTexts(pattern: string): string[] | null {
  if (/\(\?[a-z]*i/.test(pattern)) return null
  const { body } = parse(pattern, {
    // As the translator reads it, which has checked it.
    rules: { captureGroup: true, singleline: true },
    skipBackrefValidation: true,
    skipLookbehindValidation: true,
    skipPropertyNameValidation: true,
  })
  return ofAlternatives(body)
}

function ofAlternatives(alternatives: readonly AlternativeNode[]): string[] | null {
  const texts = new Set<string>()
  for (const { body } of alternatives) {
    const found = ofSequence(body)
    if (found === null) return null
    for (const text of found) texts.add(text)
  }
  return texts.size > MOST_TEXTS ? null : [...texts]
}

/** The best of what its parts require. */
function ofSequence(elements: readonly AlternativeElementNode[]): string[] | null {
  let best: string[] | null = null
  let run = ''
  const offer = (texts: string[] | null) => {
    if (texts !== null && texts.length > 0 && (best === null || worth(texts) > worth(best))) best = texts
  }
  const endRun = () => {
    if (run !== '') offer([run])
    run = ''
  }
  for (const element of elements) {
    if (element.type === 'Character') run += String.fromCodePoint(element.value)
    else if (!isEmpty(element)) {
      endRun()
      offer(ofElement(element))
    } else if (element.type === 'LookaroundAssertion') offer(ofElement(element))
  }
  endRun()
  return best
}

/** Matches no characters, so that those on both sides stand beside each other. */
function isEmpty({ type }: AlternativeElementNode): boolean {
  return type === 'Assertion' || type === 'LookaroundAssertion' || type === 'Directive'
}

function ofElement(element: AlternativeElementNode): string[] | null {
  switch (element.type) {
    case 'Character':
      return [String.fromCodePoint(element.value)]
    case 'CharacterClass':
      return element.negate || element.kind !== 'union' ? null : ofClass(element.body)
    case 'CapturingGroup':
    case 'Group':
      return ofAlternatives(element.body)
    case 'LookaroundAssertion':
      return element.kind === 'lookahead' && !element.negate ? ofAlternatives(element.body) : null
    case 'Quantifier':
      return element.min > 0 ? ofElement(element.body as AlternativeElementNode) : null
    default:
      return null
  }
}

function ofClass(members: readonly { type: string; value?: unknown }[]): string[] | null {
  const codes = members.flatMap(({ type, value }) => (type === 'Character' ? [value as number] : []))
  const isListed = codes.length === members.length && codes.length <= MOST_TEXTS
  return isListed ? [...new Set(codes.map((code) => String.fromCodePoint(code)))] : null
}

/** Long texts are seldom there, and few are soon looked for. */
function worth(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length)) - texts.length / MOST_TEXTS
}

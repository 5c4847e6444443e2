/**
 * Finds text that a line must contain for a pattern to match. Most patterns match no line, and searching for
 * a word is many times faster than compiling and running an expression.
 */
import { type AlternativeElementNode, type AlternativeNode, parse } from 'oniguruma-parser/parser'

/** Searching for more texts would not be worthwhile. */
const MAX_REQUIRED_TEXTS = 12

/**
 * Returns a list of texts. Every match contains at least one of them, at or after the start of the search. Returns null
 * if unknown.
 */
export function findRequiredTexts(pattern: string): string[] | null {
  if (/\(\?[a-z]*i/.test(pattern)) return null
  const { body } = parse(pattern, {
    // Same rules as in the translation, which has validated the pattern.
    rules: { captureGroup: true, singleline: true },
    skipBackrefValidation: true,
    skipLookbehindValidation: true,
    skipPropertyNameValidation: true,
  })
  return findInAlternatives(body)
}

function findInAlternatives(alternatives: readonly AlternativeNode[]): string[] | null {
  const texts = new Set<string>()
  for (const { body } of alternatives) {
    const found = findInSequence(body)
    if (found === null) return null
    for (const text of found) texts.add(text)
  }
  return texts.size > MAX_REQUIRED_TEXTS ? null : [...texts]
}

/** Returns the best required texts of all elements. */
function findInSequence(elements: readonly AlternativeElementNode[]): string[] | null {
  let best: string[] | null = null
  let run = ''
  const offer = (texts: string[] | null) => {
    if (texts !== null && texts.length > 0 && (best === null || scoreTexts(texts) > scoreTexts(best)))
      best = texts
  }
  const endRun = () => {
    if (run !== '') offer([run])
    run = ''
  }
  for (const element of elements) {
    if (element.type === 'Character') run += String.fromCodePoint(element.value)
    else if (!isEmpty(element)) {
      endRun()
      offer(findInElement(element))
    } else if (element.type === 'LookaroundAssertion') offer(findInElement(element))
  }
  endRun()
  return best
}

/** Returns whether an element matches no characters, so that the elements around it are adjacent. */
function isEmpty({ type }: AlternativeElementNode): boolean {
  return type === 'Assertion' || type === 'LookaroundAssertion' || type === 'Directive'
}

function findInElement(element: AlternativeElementNode): string[] | null {
  switch (element.type) {
    case 'Character':
      return [String.fromCodePoint(element.value)]
    case 'CharacterClass':
      return element.negate || element.kind !== 'union' ? null : findInClass(element.body)
    case 'CapturingGroup':
    case 'Group':
      return findInAlternatives(element.body)
    case 'LookaroundAssertion':
      return element.kind === 'lookahead' && !element.negate ? findInAlternatives(element.body) : null
    case 'Quantifier':
      return element.min > 0 ? findInElement(element.body as AlternativeElementNode) : null
    default:
      return null
  }
}

function findInClass(members: readonly { type: string; value?: unknown }[]): string[] | null {
  const codes = members.flatMap(({ type, value }) => (type === 'Character' ? [value as number] : []))
  const isListed = codes.length === members.length && codes.length <= MAX_REQUIRED_TEXTS
  return isListed ? [...new Set(codes.map((code) => String.fromCodePoint(code)))] : null
}

/** Rates texts. Long texts are rare, and few texts are faster to search. */
function scoreTexts(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length)) - texts.length / MAX_REQUIRED_TEXTS
}

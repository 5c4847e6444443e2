/**
 * Parses YAML with limits. Anchors can make a value larger than its text, or cyclic; the values returned here are
 * finite and not cyclic, so they can be traversed safely.
 */
import { type Document, isAlias, isNode, LineCounter, parseDocument, type Scalar, visit } from 'yaml'

export interface DataLimits {
  depth: number
  /** Total number of values; a value with several aliases counts each time. */
  values: number
}

export type YamlResult = { value: unknown } | { fault: YamlFault }

export interface YamlFault {
  /** Reason for the failure, without a full stop. */
  reason: string
  /** 1-based, within the text. */
  line: number
}

/** Maximum number of anchors and aliases, each of which is compared with all others. */
const MAX_ANCHORS_AND_ALIASES = 2000

/** `number` converts a number, given its value and its text. */
export function readYaml(
  text: string,
  limits: DataLimits,
  number?: (value: number, written: string) => unknown,
): YamlResult {
  const lineCounter = new LineCounter()
  try {
    const document = parseDocument(text, {
      lineCounter,
      schema: 'core',
      version: '1.2',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    })
    const error = document.errors[0]
    if (error) {
      return { fault: { reason: firstLine(error.message), line: lineCounter.linePos(error.pos[0]).line } }
    }
    if (countReferences(document) > MAX_ANCHORS_AND_ALIASES) {
      return { fault: { reason: `it has more than ${MAX_ANCHORS_AND_ALIASES} anchors and aliases`, line: 1 } }
    }
    // An escape can produce a lone surrogate, which no URL can contain.
    if (/\\u/i.test(text)) visit(document, { Scalar: (_key, scalar) => makeWellFormed(scalar) })
    if (number) {
      visit(document, {
        Scalar(key, scalar) {
          if (typeof scalar.value !== 'number' || scalar.source === undefined) return
          const { source } = scalar
          scalar.value = key === 'key' ? source : number(scalar.value, source)
        },
      })
    }
    // The library's own limit covers only some kinds of expansion, and is expensive.
    const value: unknown = document.toJS({ maxAliasCount: -1 })
    const excess = findExceededDataLimit(value, limits)
    return excess === null ? { value } : { fault: { reason: excess, line: 1 } }
  } catch (error) {
    // Also catches a stack overflow from deep nesting.
    const reason =
      error instanceof RangeError
        ? tooDeepMessage(limits)
        : firstLine(error instanceof Error ? error.message : '')
    return { fault: { reason, line: 1 } }
  }
}

function makeWellFormed(scalar: Scalar): void {
  if (typeof scalar.value === 'string') scalar.value = scalar.value.toWellFormed()
}

function countReferences(document: Document): number {
  let count = 0
  visit(document, (_key, node) => {
    if (isNode(node) && (isAlias(node) || ('anchor' in node && node.anchor))) count++
    return count > MAX_ANCHORS_AND_ALIASES ? visit.BREAK : undefined
  })
  return count
}

/** Returns the limit that a value exceeds, without a full stop; null if none. Visits each object once. */
export function findExceededDataLimit(value: unknown, limits: DataLimits): string | null {
  if (!isCollection(value)) return null
  /** Number of values in each object; null while they are being counted. */
  const sizes = new Map<object, number | null>([[value, null]])
  const path = [openLevel(value)]
  for (let level = path.at(-1); level; level = path.at(-1)) {
    const next = level.next < level.children.length ? level.children[level.next++] : undefined
    if (next === undefined) {
      sizes.set(level.of, level.size)
      path.pop()
      const above = path.at(-1)
      if (above) above.size += level.size
    } else {
      const size = sizes.get(next)
      if (size === null) return 'it contains a cycle'
      if (size !== undefined) level.size += size
      else if (path.length >= limits.depth) return tooDeepMessage(limits)
      else {
        sizes.set(next, null)
        path.push(openLevel(next))
      }
    }
    if (level.size > limits.values) return `it contains more than ${limits.values} values`
  }
  return null
}

interface Level {
  of: object
  children: object[]
  next: number
  size: number
}

function openLevel(of: object): Level {
  const values = Object.values(of)
  return { of, children: values.filter(isCollection), next: 0, size: values.length + 1 }
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function tooDeepMessage({ depth }: DataLimits): string {
  return `it is nested deeper than ${depth} levels`
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trimEnd().replace(/[.:]$/, '').slice(0, 120)
}

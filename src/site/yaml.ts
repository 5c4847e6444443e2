/**
 * YAML and data as authors write them, read within bounds. Anchors make a value larger than its text, and may put it
 * into itself: what comes out of here is a value that whoever walks it comes to the end of.
 */
import { type Document, isAlias, isNode, LineCounter, parseDocument, type Scalar, visit } from 'yaml'

export interface DataLimits {
  /** Values in values. */
  depth: number
  /** Values in all; one that is named by several aliases counts each time. */
  values: number
}

export type YamlResult = { value: unknown } | { fault: YamlFault }

export interface YamlFault {
  /** What is wrong, without a full stop. */
  reason: string
  /** 1-based, within the text. */
  line: number
}

/** Each is looked for among all others. */
const MAX_ANCHORS_AND_ALIASES = 2000

/** `number` makes what stands for a number from its value and its text. */
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
    // An escape can write half of a character, which no URL can hold.
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
    // The library's own limit counts only some ways of multiplying, and at a cost of its own.
    const value: unknown = document.toJS({ maxAliasCount: -1 })
    const excess = excessOf(value, limits)
    return excess === null ? { value } : { fault: { reason: excess, line: 1 } }
  } catch (error) {
    // Nesting that the stack has no room for ends here too.
    const reason =
      error instanceof RangeError ? tooDeep(limits) : firstLine(error instanceof Error ? error.message : '')
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

/** Why a value is more than the limits allow, without a full stop; null when it is within them. Looks at each once. */
export function excessOf(value: unknown, limits: DataLimits): string | null {
  if (!isCollection(value)) return null
  /** Values below; null while they are being counted. */
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
      if (size === null) return 'a value in it holds itself'
      if (size !== undefined) level.size += size
      else if (path.length >= limits.depth) return tooDeep(limits)
      else {
        sizes.set(next, null)
        path.push(openLevel(next))
      }
    }
    if (level.size > limits.values) return `it holds more than ${limits.values} values`
  }
  return null
}

interface Level {
  of: object
  /** Those of its values that hold values. */
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

function tooDeep({ depth }: DataLimits): string {
  return `it is nested deeper than ${depth} levels`
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trimEnd().replace(/[.:]$/, '').slice(0, 120)
}

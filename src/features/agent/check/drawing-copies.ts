/**
 * Estimates how much a browser draws for an SVG. A few nested references expand to any number of copies: a kilobyte
 * of them keeps a browser busy for days.
 */
import { decodePath } from '../../../base/text/decode-path.ts'

/** Maximum number of elements drawn after all references are expanded: about one second in a browser. */
const MAX_DRAWN_ELEMENTS = 500_000
/** Maximum nesting of elements and of references. */
const MAX_DEPTH = 500
/** Elements whose references point somewhere or animate something without drawing it again. */
const POINTERS = new Set([
  'a',
  'animate',
  'animatecolor',
  'animatemotion',
  'animatetransform',
  'discard',
  'set',
])
const GRADIENT_OR_STEP = /^(?:stop|fe(?!image$).*)$/
const URL_OF_PART = /url\(\s*["']?#([^)"']*)/gi

interface Element {
  /** Lower case, without prefix. */
  name: string
  children: Element[]
  /** Ids of the elements that it draws by reference. */
  references: string[]
}

export interface Drawing {
  open(name: string): void
  attribute(name: string, value: string): void
  close(): void
  /** Adds a `<style>`; its selectors are ignored. */
  style(css: string): void
  /** Returns the reason for a rejection; null when the drawing is acceptable. */
  refusal(): string | null
}

/** Expects `open`, attributes and `close` in the order of the file. */
export function openDrawing(): Drawing {
  const root: Element = { name: '', children: [], references: [] }
  const path = [root]
  const byId = new Map<string, Element>()
  const inStyles = new Set<string>()
  const at = () => path.at(-1) ?? root
  return {
    open(name) {
      const element: Element = { name, children: [], references: [] }
      at().children.push(element)
      path.push(element)
    },
    attribute(name, value) {
      const element = at()
      // Browsers use the first of several elements with one id.
      if (name === 'id' && !byId.has(value)) byId.set(value, element)
      if (name === 'href' && value.trim().startsWith('#') && !POINTERS.has(element.name))
        element.references.push(decodeId(value.trim().slice(1)))
      element.references.push(...parseIds(value))
    },
    close() {
      if (path.length > 1) path.pop()
    },
    style(css) {
      for (const id of parseIds(css)) inStyles.add(id)
    },
    refusal: () => findRefusal(root, byId, inStyles),
  }
}

function findRefusal(
  root: Element,
  byId: ReadonlyMap<string, Element>,
  inStyles: ReadonlySet<string>,
): string | null {
  const known = new Map<Element, number>()
  const open = new Set<Element>()
  const drawnOf = (element: Element): number => {
    const seen = known.get(element)
    if (seen !== undefined) return seen
    if (open.has(element)) throw new RefusedError('it draws itself')
    if (open.size > MAX_DEPTH) throw new RefusedError(`it is nested more than ${MAX_DEPTH} deep`)
    open.add(element)
    let drawn = GRADIENT_OR_STEP.test(element.name) ? 0 : 1
    for (const child of element.children) drawn += drawnOf(child)
    for (const id of element.references) {
      const target = byId.get(id)
      if (target !== undefined) drawn += drawnOf(target)
    }
    open.delete(element)
    known.set(element, drawn)
    return drawn
  }
  try {
    let drawn = drawnOf(root)
    for (const id of inStyles) {
      const target = byId.get(id)
      if (target !== undefined) drawn *= Math.max(1, drawnOf(target) - 1)
    }
    return drawn > MAX_DRAWN_ELEMENTS ? `its references draw more than ${MAX_DRAWN_ELEMENTS} elements` : null
  } catch (error) {
    if (error instanceof RefusedError) return error.message
    throw error
  }
}

class RefusedError extends Error {}

function parseIds(value: string): string[] {
  return [...value.matchAll(URL_OF_PART)].map(([, id = '']) => decodeId(id))
}

/** Decodes an id from a URL. */
function decodeId(written: string): string {
  return decodePath(written.trim())
}

/**
 * How much a browser draws of an SVG. A few references of references stand for as many copies as somebody likes: a
 * kilobyte of them keeps a browser busy for days.
 */
import { decodePath } from '../../../base/text/decode-path.ts'

/** Elements that are drawn once every reference has been followed: about a second of a browser's time. */
const MOST_DRAWN = 500_000
/** Elements within elements, and references of references. */
const MOST_DEEP = 500
/** They point to a place, or change one; nothing is drawn again. */
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
  /** Without a prefix, in small letters. */
  name: string
  children: Element[]
  /** What it draws by reference. */
  references: string[]
}

export interface Drawing {
  open(name: string): void
  attribute(name: string, value: string): void
  close(): void
  /** Of a `<style>`: which elements it is for is not looked at. */
  style(css: string): void
  /** Why it is refused; null: it draws little enough. */
  refusal(): string | null
}

/** `open`, its attributes and `close` come in the order of the file. */
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
      // Of several with one name browsers take the first.
      if (name === 'id' && !byId.has(value)) byId.set(value, element)
      if (name === 'href' && value.trim().startsWith('#') && !POINTERS.has(element.name))
        element.references.push(idIn(value.trim().slice(1)))
      element.references.push(...idsIn(value))
    },
    close() {
      if (path.length > 1) path.pop()
    },
    style(css) {
      for (const id of idsIn(css)) inStyles.add(id)
    },
    refusal: () => refusalOf(root, byId, inStyles),
  }
}

function refusalOf(
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
    if (open.size > MOST_DEEP) throw new RefusedError(`it is nested more than ${MOST_DEEP} deep`)
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
    return drawn > MOST_DRAWN ? `its references draw more than ${MOST_DRAWN} elements` : null
  } catch (error) {
    if (error instanceof RefusedError) return error.message
    throw error
  }
}

class RefusedError extends Error {}

function idsIn(value: string): string[] {
  return [...value.matchAll(URL_OF_PART)].map(([, id = '']) => idIn(id))
}

/** As it is written in an address. */
function idIn(written: string): string {
  return decodePath(written.trim())
}

/** Props of islands. Data is sent to the browser as JSON, elements remain in the HTML as slots. */
import type { ComponentChildren, VNode } from 'preact'
import { h, isValidElement, toChildArray } from 'preact'

/** Props for the browser. Each is data, or content consisting of text and slot numbers. */
export interface SerializedProps {
  data?: Record<string, unknown>
  slots?: Record<string, readonly (string | number)[]>
  /** Data props of the elements in slots, because a component may inspect its children. */
  parts?: readonly Record<string, unknown>[]
  /** Browser ids of the props that are components, by prop name. */
  components?: Record<string, string>
}

export interface Slots {
  add(content: VNode): VNode
  readonly parts: Record<string, unknown>[]
  /** Returns the HTML of slots that the component has not rendered. */
  rest(context: unknown): string
}

type Render = (content: VNode, context: unknown) => string

export function createSlots(render: Render): Slots {
  const contents: VNode[] = []
  const shown = new Set<number>()
  const parts: Record<string, unknown>[] = []

  const Slot = ({ number }: { number: number }, context: unknown) => {
    shown.add(number)
    return slotElement(number, render(contents[number] as VNode, context))
  }

  return {
    parts,
    add(content) {
      const number = contents.push(content) - 1
      const props = collectData((content.props ?? {}) as Record<string, unknown>)
      parts.push(props)
      return h(Slot as never, { ...props, number } as never)
    },
    rest: (context) =>
      contents
        .map((content, number) => {
          if (shown.has(number)) return ''
          const html = render(content, context)
          return html === '' ? '' : `<o-slot data-i="${number}" data-rest>${html}</o-slot>`
        })
        .join(''),
  }
}

function slotElement(number: number, html: string): VNode {
  return h(
    'o-slot' as 'span',
    {
      'data-i': number,
      dangerouslySetInnerHTML: { __html: html },
    } as object,
  )
}

/** Throws if a prop cannot be serialized. */
export function readProps(
  slots: Slots,
  props: Record<string, unknown> | null,
  children: readonly ComponentChildren[],
  idOf: (component: object) => string | null,
): { props: Record<string, unknown>; sent: SerializedProps } {
  const sent = {
    data: {} as Record<string, unknown>,
    slots: {} as Record<string, (string | number)[]>,
    components: {} as Record<string, string>,
  }
  const given: Record<string, unknown> = {}
  const all = Object.entries(props ?? {})
  const content = toChildArray(children as ComponentChildren)
  if (content.length > 0) all.push(['children', content])
  for (const [name, value] of all) {
    if (value === undefined || name === '__proto__') continue
    const component = typeof value === 'function' ? idOf(value) : null
    if (component !== null) {
      sent.components[name] = component
      given[name] = value
    } else if (containsElements(value)) {
      const pieces = toChildArray(value as ComponentChildren).map((piece) =>
        typeof piece === 'object' ? piece : String(piece),
      )
      const made = joined(pieces).map((piece) => (typeof piece === 'string' ? piece : slots.add(piece)))
      let number = slots.parts.length - made.filter((piece) => typeof piece !== 'string').length
      sent.slots[name] = made.map((piece) => (typeof piece === 'string' ? piece : number++))
      given[name] = made.length === 1 ? made[0] : made
    } else {
      const isText = name === 'children'
      const data = isText ? content.join('') : copyValue(value, 0)
      if (data === undefined) throw new TypeError(`its prop ${name} cannot be sent to a browser`)
      sent.data[name] = data
      given[name] = data
    }
  }
  return { props: given, sent: withoutEmpty({ ...sent, parts: slots.parts }) }
}

function withoutEmpty(sent: Required<SerializedProps>): SerializedProps {
  const isEmpty = (part: object) => Object.keys(part).length === 0
  return {
    ...(isEmpty(sent.components) ? {} : { components: sent.components }),
    ...(isEmpty(sent.data) ? {} : { data: sent.data }),
    ...(isEmpty(sent.slots) ? {} : { slots: sent.slots }),
    ...(sent.parts.every(isEmpty) ? {} : { parts: sent.parts }),
  }
}

function joined(pieces: readonly (string | VNode)[]): (string | VNode)[] {
  const made: (string | VNode)[] = []
  for (const piece of pieces) {
    const last = made.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') made[made.length - 1] = last + piece
    else made.push(piece)
  }
  return made
}

function containsElements(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsElements)
  return isValidElement(value)
}

function collectData(props: Record<string, unknown>): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(props)) {
    if (name === 'children' || name === '__proto__') continue
    const copy = copyValue(value, 0)
    if (copy !== undefined) data[name] = copy
  }
  return data
}

const MAX_DEPTH = 40

/** Returns the value after serialization to JSON, or undefined if that would lose information. */
function copyValue(value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) {
    const items = value.map((item) => copyValue(item ?? null, depth + 1))
    return items.includes(undefined) ? undefined : items
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const made: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined || name === '__proto__') continue
    const copy = copyValue(inner, depth + 1)
    if (copy === undefined) return undefined
    made[name] = copy
  }
  return made
}

/**
 * Islands: custom components that are hydrated in the browser. This script provides the runtime and precedes the
 * scripts of the islands; each of them registers one component, which then takes over its elements in the page.
 *
 * An island is in one of these states:
 *   standing   as rendered by the server; also permanently, if it has no script. A component that could not be rendered
 *              shows its children
 *   alive      hydrated: state, effects and handlers work
 *   fallen     an error was thrown: shows the server-rendered content again; the error is logged once
 */
import { type ComponentChildren, type ComponentType, h, options, toChildArray, type VNode } from 'preact'
import * as compat from 'preact/compat'
import { jsx, jsxs } from 'preact/jsx-runtime'
import { all, wordsOfPage } from './dom.ts'

type AnyComponent = ComponentType<Record<string, unknown>>

/** Contents of `data-props`, written by the build. */
interface Given {
  data?: Record<string, unknown>
  /** Text and numbers of slots. */
  slots?: Record<string, readonly (string | number)[]>
  /** Props of the elements in each slot. */
  parts?: readonly Record<string, unknown>[]
  /** Component props, by the names that the island's script uses for them. */
  components?: Record<string, string>
}

const script = document.currentScript as HTMLScriptElement | null
const icons = new Map<string, string>()

Object.assign(globalThis, {
  octavoIslands: {
    react: { ...compat, h, jsx, jsxs, jsxDEV: jsx, options, toChildArray },
    define(id: string, component: unknown, known: Record<string, unknown> = {}) {
      if (typeof component !== 'function' && typeof component !== 'object') return
      for (const place of all('o-island')) {
        if (place.dataset.island === id) takeOver(place, component as AnyComponent, known)
      }
    },
    words: wordsOfPage(),
    icon: (key: string) => icons.get(key) ?? '',
    /** Registers icons that a component may show later. */
    icons(drawings: Record<string, string>) {
      for (const [key, svg] of Object.entries(drawings)) icons.set(key, svg)
    },
  },
})

for (const frame of all('o-island .icon-frame[data-icon]')) {
  icons.set(frame.dataset.icon ?? '', frame.innerHTML)
}
sendLinksIntoTheSite()

function takeOver(place: HTMLElement, component: AnyComponent, known: Record<string, unknown>): void {
  const given = JSON.parse(place.dataset.props ?? '{}') as Given
  const slots = slotsOf(place)
  const written = place.cloneNode(true)
  const fall = (error: unknown) => {
    reportError(new Error(`The component ${place.dataset.island} stopped.`, { cause: error }))
    place.dataset.state = 'fallen'
    compat.render(null, place)
    place.replaceChildren(...written.childNodes)
  }
  try {
    const Content = island(() => h(component, propsOf(given, slots, known)), fall)
    const isOpen = place.dataset.open !== undefined
    if (isOpen) {
      place.replaceChildren()
      compat.render(h(Content, {}), place)
    } else compat.hydrate(h(Content, {}), place)
    place.dataset.state ??= 'alive'
  } catch (error) {
    fall(error)
  }
}

/** Wraps the component in an error boundary. */
function island(make: () => VNode, fall: (error: unknown) => void): ComponentType {
  return class Island extends compat.Component {
    #hasFallen = false

    override componentDidCatch(error: unknown) {
      if (this.#hasFallen) return
      this.#hasFallen = true
      this.setState({})
      // Deferred, because Preact is still processing the error.
      queueMicrotask(() => fall(error))
    }

    override render() {
      return this.#hasFallen ? null : make()
    }
  }
}

type SlotComponent = ComponentType<Record<string, unknown> & { number: number }>

/** Returns the slot component, which preserves an island's static elements and their state wherever it is used. */
function slotsOf(place: HTMLElement): SlotComponent {
  const nodes = new Map<number, Node[]>()
  for (const slot of all('o-slot', place)) {
    if (slot.closest('o-island') !== place) continue
    nodes.set(Number(slot.dataset.i), [...slot.childNodes])
    if (slot.dataset.rest !== undefined) slot.remove()
  }
  return class Slot extends compat.Component<Record<string, unknown> & { number: number }> {
    #element: HTMLElement | null = null

    override shouldComponentUpdate() {
      return false
    }

    override componentDidMount() {
      const element = this.#element
      // A mounted slot has its content already; a new one takes it from the previous location.
      if (element && !element.hasChildNodes()) element.append(...(nodes.get(this.props.number) ?? []))
    }

    override render() {
      return h('o-slot', {
        ref: (element: HTMLElement | null) => {
          this.#element = element
        },
        dangerouslySetInnerHTML: { __html: '' },
      } as object)
    }
  }
}

function propsOf(given: Given, Slot: SlotComponent, known: Record<string, unknown>): Record<string, unknown> {
  const props: Record<string, unknown> = { ...given.data }
  for (const [name, id] of Object.entries(given.components ?? {})) props[name] = known[id]
  for (const [name, pieces] of Object.entries(given.slots ?? {})) {
    const made = pieces.map(
      (piece): ComponentChildren =>
        typeof piece === 'string' ? piece : h(Slot, { ...given.parts?.[piece], number: piece, key: piece }),
    )
    props[name] = made.length === 1 ? made[0] : made
  }
  return props
}

/** Rewrites links for bundles, where the site may be in any folder and pages are files, unknown to island code. */
function sendLinksIntoTheSite(): void {
  const address = script?.getAttribute('src') ?? '/'
  if (!script || address.startsWith('/')) return
  const root = new URL('..', script.src).href
  const previous = options.vnode
  options.vnode = (vnode) => {
    if (typeof vnode.type === 'string') {
      const props = vnode.props as unknown as Record<string, unknown>
      for (const name of ['href', 'src', 'poster']) {
        const value = props[name]
        if (typeof value === 'string' && /^\/(?!\/)/.test(value)) props[name] = root + fileOf(value.slice(1))
      }
    }
    previous?.(vnode)
  }
}

/** Converts `guides/x#y` to `guides/x.html#y`; a path with an extension is already a file. */
function fileOf(address: string): string {
  const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? []
  const page = path.replace(/(?<!\/)\/+$/, '')
  return (/\.\w+$/.test(page) ? page : `${page || 'index'}.html`) + tail
}

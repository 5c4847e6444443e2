/**
 * Islands: components of the site's author that live on in the reader's browser. This script holds what they run on and
 * stands before theirs; each of theirs hands in one component, which then takes over its places in the page.
 *
 * An island is in one of these states:
 *   standing   as the server wrote it; also for good, when there is no script for it. What it could not draw is open:
 *              what was given to the component stands there
 *   alive      taken over: state, effects and handlers work
 *   fallen     something in it threw: it shows again what the server wrote, and said so once in the console
 */
import { type ComponentChildren, type ComponentType, h, options, toChildArray, type VNode } from 'preact'
import * as compat from 'preact/compat'
import { jsx, jsxs } from 'preact/jsx-runtime'
import { all, wordsOfPage } from './dom.ts'

type AnyComponent = ComponentType<Record<string, unknown>>

/** As the build writes it into `data-props`. */
interface Given {
  data?: Record<string, unknown>
  /** Text and numbers of slots. */
  slots?: Record<string, readonly (string | number)[]>
  /** Props of what is in each slot. */
  parts?: readonly Record<string, unknown>[]
  /** Props that are components, by the names that the script of the island gives them. */
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
    /** Drawings that a component may show later. */
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

/** The component with a net below it. */
function island(make: () => VNode, fall: (error: unknown) => void): ComponentType {
  return class Island extends compat.Component {
    #hasFallen = false

    override componentDidCatch(error: unknown) {
      if (this.#hasFallen) return
      this.#hasFallen = true
      this.setState({})
      // Preact is still at work on what threw.
      queueMicrotask(() => fall(error))
    }

    override render() {
      return this.#hasFallen ? null : make()
    }
  }
}

type SlotComponent = ComponentType<Record<string, unknown> & { number: number }>

/** What is static inside of an island keeps its elements, with all that happened to them, wherever it is shown. */
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
      // One that was in the page keeps what it has; a new one takes the content from where it was last.
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

/** In a bundle the site may lie in any folder and pages are files; the code of an island knows neither. */
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

/** `guides/x#y` to `guides/x.html#y`; a name with an ending is a file already. */
function fileOf(address: string): string {
  const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? []
  const page = path.replace(/(?<!\/)\/+$/, '')
  return (/\.\w+$/.test(page) ? page : `${page || 'index'}.html`) + tail
}

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
import { findElements, readUiStrings } from './dom.ts'

type AnyComponent = ComponentType<Record<string, unknown>>

/** Contents of `data-props`, written by the build. */
interface IslandProps {
  data?: Record<string, unknown>
  /** Content of each slot: texts, and the numbers that identify elements. */
  slots?: Record<string, readonly (string | number)[]>
  parts?: readonly Record<string, unknown>[]
  /** Maps props that are components to the names by which the island's script knows the components. */
  components?: Record<string, string>
}

const script = document.currentScript as HTMLScriptElement | null
const icons = new Map<string, string>()

Object.assign(globalThis, {
  octavoIslands: {
    react: { ...compat, h, jsx, jsxs, jsxDEV: jsx, options, toChildArray },
    define(id: string, component: unknown, knownComponents: Record<string, unknown> = {}) {
      if (typeof component !== 'function' && typeof component !== 'object') return
      for (const islandElement of findElements('o-island')) {
        if (islandElement.dataset.island === id)
          hydrateIsland(islandElement, component as AnyComponent, knownComponents)
      }
    },
    words: readUiStrings(),
    icon: (key: string) => icons.get(key) ?? '',
    icons(drawings: Record<string, string>) {
      for (const [key, svg] of Object.entries(drawings)) icons.set(key, svg)
    },
  },
})

for (const frame of findElements('o-island .icon-frame[data-icon]')) {
  icons.set(frame.dataset.icon ?? '', frame.innerHTML)
}
rewriteSiteLinks()

function hydrateIsland(
  islandElement: HTMLElement,
  component: AnyComponent,
  knownComponents: Record<string, unknown>,
): void {
  const islandProps = JSON.parse(islandElement.dataset.props ?? '{}') as IslandProps
  const slots = createSlotComponent(islandElement)
  const staticCopy = islandElement.cloneNode(true)
  const restoreStatic = (error: unknown) => {
    reportError(new Error(`The component ${islandElement.dataset.island} stopped.`, { cause: error }))
    islandElement.dataset.state = 'fallen'
    compat.render(null, islandElement)
    islandElement.replaceChildren(...staticCopy.childNodes)
  }
  try {
    const Content = createIsland(
      () => h(component, buildProps(islandProps, slots, knownComponents)),
      restoreStatic,
    )
    const isOpen = islandElement.dataset.open !== undefined
    if (isOpen) {
      islandElement.replaceChildren()
      compat.render(h(Content, {}), islandElement)
    } else compat.hydrate(h(Content, {}), islandElement)
    islandElement.dataset.state ??= 'alive'
  } catch (error) {
    restoreStatic(error)
  }
}

function createIsland(make: () => VNode, restoreStatic: (error: unknown) => void): ComponentType {
  return class Island extends compat.Component {
    #hasFallen = false

    override componentDidCatch(error: unknown) {
      if (this.#hasFallen) return
      this.#hasFallen = true
      this.setState({})
      // Deferred, because Preact is still processing the error.
      queueMicrotask(() => restoreStatic(error))
    }

    override render() {
      return this.#hasFallen ? null : make()
    }
  }
}

type SlotComponent = ComponentType<Record<string, unknown> & { number: number }>

/** Returns the slot component. Wherever it renders, it preserves the island's static elements and their state. */
function createSlotComponent(islandElement: HTMLElement): SlotComponent {
  const nodes = new Map<number, Node[]>()
  for (const slot of findElements('o-slot', islandElement)) {
    if (slot.closest('o-island') !== islandElement) continue
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
      // A mounted slot already has its content; a new slot takes over the content from the previous location.
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

function buildProps(
  islandProps: IslandProps,
  Slot: SlotComponent,
  knownComponents: Record<string, unknown>,
): Record<string, unknown> {
  const props: Record<string, unknown> = { ...islandProps.data }
  for (const [name, id] of Object.entries(islandProps.components ?? {})) props[name] = knownComponents[id]
  for (const [name, pieces] of Object.entries(islandProps.slots ?? {})) {
    const made = pieces.map(
      (piece): ComponentChildren =>
        typeof piece === 'string'
          ? piece
          : h(Slot, { ...islandProps.parts?.[piece], number: piece, key: piece }),
    )
    props[name] = made.length === 1 ? made[0] : made
  }
  return props
}

/**
 * Rewrites links to the site in island code. Bundles need this, because they can be in any folder and their pages are
 * files.
 */
function rewriteSiteLinks(): void {
  const address = script?.getAttribute('src') ?? '/'
  if (!script || address.startsWith('/')) return
  const root = new URL('..', script.src).href
  const previous = options.vnode
  options.vnode = (vnode) => {
    if (typeof vnode.type === 'string') {
      const props = vnode.props as unknown as Record<string, unknown>
      for (const name of ['href', 'src', 'poster']) {
        const value = props[name]
        if (typeof value === 'string' && /^\/(?!\/)/.test(value))
          props[name] = root + toPageFile(value.slice(1))
      }
    }
    previous?.(vnode)
  }
}

/** Converts `guides/x#y` to `guides/x.html#y`; a path with an extension is already a file. */
function toPageFile(address: string): string {
  const [, path = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? []
  const page = path.replace(/(?<!\/)\/+$/, '')
  return (/\.\w+$/.test(page) ? page : `${page || 'index'}.html`) + tail
}

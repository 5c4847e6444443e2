/**
 * Islands: components of authors that use state, effects or handlers. They are rendered like any other, and marked so
 * that the reader's browser can take them over:
 *
 *   <o-island data-island="snippets/x.jsx#Counter" data-props='{"data":{"start":1},"slots":{"children":[0]},…}'>
 *     what the component rendered, with <o-slot data-i="0">…</o-slot> where it showed static content it was given
 *     <o-slot data-i="1" data-rest>…</o-slot> for content that it did not show at first
 *   </o-island>
 *
 * A component is rendered once to see what it uses. One without state and handlers stays as it came out. Another is
 * rendered a second time as the browser will: with slots in place of the elements it was given.
 */
import type { ComponentChildren, ComponentType, VNode } from 'preact'
import { Component, Fragment, h, options } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { escapeHtml } from '../html/html.ts'
import type { ComponentOrigin, FailureKind } from '../tree/program.ts'
import { Boundary } from './boundary.ts'
import { messageOf } from './module-scope.ts'
import type { PageState } from './page-state.ts'
import { createSlots, readProps, type SentProps } from './slots.ts'

type AnyComponent = ComponentType<Record<string, unknown>>

export interface Islands {
  /** Stands for the component; `mark` names it in problems. */
  host(use: Hosted): VNode
  /**
   * The place of a component that only the reader's browser can draw; until then, and without a script, what it was
   * given stands there. Null when that cannot travel.
   */
  open(use: Pick<Hosted, 'props' | 'children' | 'origin'>): VNode | null
}

interface Hosted {
  type: AnyComponent
  props: Record<string, unknown> | null
  children: readonly ComponentChildren[]
  mark: number
  origin: ComponentOrigin
}

interface IslandDeps {
  state: PageState
  fail: (kind: FailureKind, mark: number, detail: string) => void
  /** Called for the element of the component itself before it is rendered. */
  watch: (vnode: VNode, mark: number) => void
  /** Where a browser finds a component: see `IslandUse.given`; null when it does not. */
  idOf: (component: object) => string | null
}

/** Numbers by which Preact tells hooks apart: state, reducer, effects, imperative handle, error boundary. */
const ACTIVE_HOOKS = new Set([1, 2, 3, 4, 6, 10])
/** Where the props of an author's component lie open, as it would see them without the host around it. */
const USE = 'octavo:use'

interface PreactOptions {
  __b?: ((vnode: VNode) => void) | undefined
  __h?: ((component: unknown, index: number, type: number) => void) | undefined
}

export function createIslands(deps: IslandDeps): Islands {
  const active = new WeakSet<object>()
  const usual = hooksNow()

  const Host = (hostProps: Record<string, unknown>, context: unknown) => {
    const use = hostProps[USE] as Hosted
    // Inside of an island a browser draws it with the rest: `islands` are told apart by their places only.
    if (deps.state.isInIsland) return h(use.type, use.props, ...use.children)
    const moment = deps.state.moment()
    if (!active.has(use.type)) {
      const { html, isInteractive } = plain(use, context)
      if (!isInteractive) return raw(html)
      active.add(use.type)
      deps.state.rewind(moment)
    }
    try {
      return raw(interactive(deps, usual, use, context))
    } catch (error) {
      deps.state.rewind(moment)
      const { html } = plain(use, context)
      deps.fail('island', use.mark, messageOf(error))
      return raw(html)
    }
  }

  /** As any component; tells whether anything in it uses state, effects or handlers. */
  const plain = ({ type, props, children, mark }: Hosted, context: unknown) => {
    const vnode = h(type, props, ...children)
    deps.watch(vnode, mark)
    let isInteractive = false
    const watching: PreactOptions = {
      __b: (inner) => {
        usual.__b?.(inner)
        isInteractive ||= isActive(inner)
      },
      __h: (component, index, type) => {
        usual.__h?.(component, index, type)
        isInteractive ||= ACTIVE_HOOKS.has(type)
      },
    }
    const html = withHooks(watching, () => renderToString(vnode, context as object))
    return { html, isInteractive }
  }

  return {
    open: (use) => openPlace(deps, use),
    host: (use) =>
      h(
        Host as AnyComponent,
        { ...use.props, children: use.children, [USE]: use } as Record<string, unknown>,
      ),
  }
}

function hooksNow(): PreactOptions {
  const { __b, __h } = options as PreactOptions
  return { __b, __h }
}

/** What an island inside of another one uses is none of the outer one's. */
function withHooks<T>(wanted: PreactOptions, render: () => T): T {
  const before = hooksNow()
  Object.assign(options, wanted)
  try {
    return render()
  } finally {
    Object.assign(options, before)
  }
}

function interactive(
  { state, idOf, watch }: IslandDeps,
  usual: PreactOptions,
  { type, props, children, mark, origin }: Hosted,
  context: unknown,
): string {
  const slots = createSlots((content, place) =>
    state.within(false, () => renderToString(content, place as object)),
  )
  const given = readProps(slots, props, children, idOf)
  const vnode = h(type, given.props)
  watch(vnode, mark)
  const html = withHooks(usual, () => state.within(true, () => renderToString(vnode, context as object)))
  return placeOf(state, origin, given.sent, html + slots.rest(context), '')
}

function openPlace(
  { state, idOf }: IslandDeps,
  { props, children, origin }: Parameters<Islands['open']>[0],
): VNode | null {
  const moment = state.moment()
  try {
    const slots = createSlots((content) => state.within(false, () => renderToString(content)))
    const given = readProps(slots, props, children, idOf)
    const shown = renderToString(h(Fragment, null, given.props.children as ComponentChildren))
    return raw(placeOf(state, origin, given.sent, shown + slots.rest({}), ' data-open'))
  } catch {
    state.rewind(moment)
    return null
  }
}

function placeOf(
  state: PageState,
  origin: ComponentOrigin,
  sent: SentProps,
  html: string,
  attributes: string,
): string {
  const id = `${origin.module.replace(/^page:/, '')}#${origin.name}`
  const given = new Set([...(state.islands.get(id)?.given ?? []), ...Object.values(sent.components ?? {})])
  state.islands.set(id, { ...origin, given: [...given] })
  const data = escapeHtml(JSON.stringify(sent))
  return `<o-island data-island="${escapeHtml(id)}" data-props="${data}"${attributes}>${html}</o-island>`
}

function raw(html: string): VNode {
  return h(Fragment, { tpl: [html], exprs: [] } as object)
}

/** An element with a handler, or a class of the author's, which may have state. */
function isActive(vnode: VNode): boolean {
  const { type, props } = vnode
  if (typeof type === 'function') return type.prototype instanceof Component && type !== (Boundary as unknown)
  return Object.entries(props ?? {}).some(
    ([name, value]) => typeof value === 'function' && /^on[A-Z]/.test(name),
  )
}

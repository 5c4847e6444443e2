/**
 * Islands: author components that use state, effects or event handlers. They are rendered like other
 * components, inside an element that the browser uses for hydration:
 *
 *   <o-island data-island="snippets/x.jsx#Counter" data-props='{"data":{"start":1},"slots":{"children":[0]},…}'>
 *     the component's output, with <o-slot data-i="0">…</o-slot> for the static content passed to it
 *     <o-slot data-i="1" data-rest>…</o-slot> for content that it did not show initially
 *   </o-island>
 *
 * A component is rendered once to detect what it uses. Without state and handlers, this output is final.
 * Otherwise the component is rendered again as in the browser, with slots for the elements passed to it.
 */
import type { ComponentChildren, ComponentType, VNode } from 'preact'
import { Component, Fragment, h, options } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { escapeHtml } from '../html/html.ts'
import type { ComponentOrigin, FailureKind } from '../tree/program.ts'
import { Boundary } from './error-boundary.ts'
import { formatError } from './module-scope.ts'
import type { PageState } from './page-state.ts'
import { createSlots, readProps, type SerializedProps } from './slots.ts'

type AnyComponent = ComponentType<Record<string, unknown>>

export interface Islands {
  /** Wraps a component. `mark` identifies it in problems. */
  host(use: HostedComponent): VNode
  /**
   * Returns the container of a component that only browsers can render. Until a browser has rendered the component,
   * or if scripts are disabled, it shows the content passed to the component. Null if the content cannot be
   * serialized.
   */
  open(use: Pick<HostedComponent, 'props' | 'children' | 'origin'>): VNode | null
}

interface HostedComponent {
  type: AnyComponent
  props: Record<string, unknown> | null
  children: readonly ComponentChildren[]
  mark: number
  origin: ComponentOrigin
}

interface IslandDeps {
  state: PageState
  fail: (kind: FailureKind, mark: number, detail: string) => void
  /** Called before an author's component is rendered. */
  watch: (vnode: VNode, mark: number) => void
  /** Returns the id of a component in the browser, see `IslandUse.given`; null if it is not available there. */
  idOf: (component: object) => string | null
}

/** Preact's numbers of hooks: state, reducer, effects, imperative handle, error boundary. */
const ACTIVE_HOOKS = new Set([1, 2, 3, 4, 6, 10])
/** Property of the host element with the original props of an author's component. */
const USE = 'octavo:use'

interface PreactOptions {
  __b?: ((vnode: VNode) => void) | undefined
  __h?: ((component: unknown, index: number, type: number) => void) | undefined
}

export function createIslands(deps: IslandDeps): Islands {
  const active = new WeakSet<object>()
  const usual = readHooks()

  const Host = (hostProps: Record<string, unknown>, context: unknown) => {
    const use = hostProps[USE] as HostedComponent
    // An island inside another one is rendered by the outer one.
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
      deps.fail('island', use.mark, formatError(error))
      return raw(html)
    }
  }

  /** Renders without slots. `isInteractive` is true if the content uses state, effects or handlers. */
  const plain = ({ type, props, children, mark }: HostedComponent, context: unknown) => {
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
    open: (use) => openSlot(deps, use),
    host: (use) =>
      h(
        Host as AnyComponent,
        { ...use.props, children: use.children, [USE]: use } as Record<string, unknown>,
      ),
  }
}

function readHooks(): PreactOptions {
  const { __b, __h } = options as PreactOptions
  return { __b, __h }
}

/** Restores Preact's hooks afterwards, so that an outer island does not count what a nested island uses. */
function withHooks<T>(wantedHooks: PreactOptions, render: () => T): T {
  const before = readHooks()
  Object.assign(options, wantedHooks)
  try {
    return render()
  } finally {
    Object.assign(options, before)
  }
}

function interactive(
  { state, idOf, watch }: IslandDeps,
  usual: PreactOptions,
  { type, props, children, mark, origin }: HostedComponent,
  context: unknown,
): string {
  const slots = createSlots((content, slotIndex) =>
    state.within(false, () => renderToString(content, slotIndex as object)),
  )
  const given = readProps(slots, props, children, idOf)
  const vnode = h(type, given.props)
  watch(vnode, mark)
  const html = withHooks(usual, () => state.within(true, () => renderToString(vnode, context as object)))
  return createSlotNode(state, origin, given.sent, html + slots.rest(context), '')
}

function openSlot(
  { state, idOf }: IslandDeps,
  { props, children, origin }: Parameters<Islands['open']>[0],
): VNode | null {
  const moment = state.moment()
  try {
    const slots = createSlots((content) => state.within(false, () => renderToString(content)))
    const given = readProps(slots, props, children, idOf)
    const shown = renderToString(h(Fragment, null, given.props.children as ComponentChildren))
    return raw(createSlotNode(state, origin, given.sent, shown + slots.rest({}), ' data-open'))
  } catch {
    state.rewind(moment)
    return null
  }
}

function createSlotNode(
  state: PageState,
  origin: ComponentOrigin,
  sent: SerializedProps,
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

/** Returns whether an element has a handler, or is an author's class component, which may have state. */
function isActive(vnode: VNode): boolean {
  const { type, props } = vnode
  if (typeof type === 'function') return type.prototype instanceof Component && type !== (Boundary as unknown)
  return Object.entries(props ?? {}).some(
    ([name, value]) => typeof value === 'function' && /^on[A-Z]/.test(name),
  )
}

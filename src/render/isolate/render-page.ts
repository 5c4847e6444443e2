/** One page from its program to HTML. */
import type { ComponentChildren, ComponentType, VNode } from 'preact'
import { Fragment, h, options, toChildArray } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Boundary } from './boundary.ts'
import { createIslands } from './islands.ts'
import { hasName, lookUp, type Names } from './literal-path.ts'
import { createModules, type ModuleScope, messageOf, type Registry } from './module-scope.ts'
import { setPageScope } from './page-scope.ts'
import { createPageState } from './page-state.ts'
import type {
  DynamicProp,
  Failure,
  FailureKind,
  LiteralProps,
  PageOutcome,
  PageProgram,
  TreeComponent,
  TreeElement,
  TreeExpression,
  TreeNode,
} from './program.ts'

/** Characters. */
const LONGEST_VALUE = 2_000_000
const LONGEST_PAGE = 20_000_000
const MOST_FAILURES = 200

type AnyComponent = ComponentType<Record<string, unknown>>

export function renderPage(
  program: PageProgram,
  components: Registry,
  announce: (mark: number) => void,
): PageOutcome {
  if (program.isGuarded) return renderOnce(program, components, announce)
  try {
    return renderOnce(program, components, announce)
  } catch {
    return renderOnce({ ...program, isGuarded: true }, components, announce)
  }
}

function renderOnce(
  program: PageProgram,
  components: Registry,
  announceToHost: (mark: number) => void,
): PageOutcome {
  const state = createPageState(program)
  const failures: Failure[] = []
  const reported = new Set<string>()
  const marks = new WeakMap<object, number>()
  const disabled = new Set(program.disabled)
  const announce = program.isGuarded ? announceToHost : () => {}

  const fail = (kind: FailureKind, mark: number, detail: string) => {
    const key = kind === 'unknown_component' ? `${kind} ${detail}` : `${kind} ${mark}`
    if (reported.has(key) || failures.length >= MOST_FAILURES) return
    reported.add(key)
    failures.push({ kind, mark, detail })
  }

  const unknownComponent = (name: string, mark: number): AnyComponent =>
    function Unknown(props: Record<string, unknown>) {
      fail('unknown_component', mark, name)
      return unknownContent(name, props, components)
    }

  const contentOf = (scope: ModuleScope): AnyComponent =>
    function MdxContent(props: Record<string, unknown>) {
      const names: Names = Object.assign(Object.create(null), scope.names, { children: undefined }, props, {
        props,
      })
      return h(Fragment, null, nodes(scope.module.tree, { ...scope, names }, false, props))
    }

  const modules = createModules({ program, components, announce, fail, contentOf, unknownComponent })
  const islands = createIslands({ state, fail, watch: (vnode, mark) => marks.set(vnode, mark) })

  const nodes = (
    tree: readonly TreeNode[] | undefined,
    scope: ModuleScope,
    isInBuiltIn: boolean,
    given: Record<string, unknown> | null,
  ): ComponentChildren[] => {
    const made: ComponentChildren[] = []
    for (const node of tree ?? []) made.push(one(node, scope, isInBuiltIn, given))
    return made
  }

  const one = (
    node: TreeNode,
    scope: ModuleScope,
    isInBuiltIn: boolean,
    given: Record<string, unknown> | null,
  ): ComponentChildren => {
    if (typeof node === 'string') return node
    if ('tag' in node) return element(node, scope, given)
    if ('name' in node) return component(node, scope, isInBuiltIn, given)
    if ('html' in node) return h(Fragment, { tpl: [node.html], exprs: [] } as object, node.text)
    if ('template' in node) return fillIn(node.template, given)
    return expression(node, scope, isInBuiltIn)
  }

  const element = (node: TreeElement, scope: ModuleScope, given: Record<string, unknown> | null): VNode => {
    const children = nodes(node.children, scope, false, given)
    const props = propsOf(node.props, node.dynamic, scope)
    // Names with a colon are the program's own: no author's tag reaches them.
    const isOpen = !node.isPlain && !node.tag.includes(':') && hasName(components, node.tag)
    const override = isOpen ? components[node.tag] : null
    return h((override ?? node.tag) as string, props, ...children)
  }

  const component = (
    node: TreeComponent,
    scope: ModuleScope,
    isInBuiltIn: boolean,
    given: Record<string, unknown> | null,
  ): ComponentChildren => {
    const own = find(scope.names, node.name)
    const builtIn = own === null ? find(components, node.name) : null
    const children = nodes(node.children, scope, builtIn !== null, given)
    if (disabled.has(node.mark)) return h(Fragment, null, children)
    const [first = ''] = node.name.split('.')
    if (
      own === null &&
      builtIn === null &&
      (scope.missing.has(first) || scope.missing.has(node.name) || program.isCodeOff)
    ) {
      return unknownContent(node.name, { ...propsOf(node.props, node.dynamic, scope), children }, components)
    }
    const type = own ?? builtIn ?? unknownComponent(node.name, node.mark)
    const props = propsOf(node.props, node.dynamic, scope)
    const origin = own === null ? null : modules.originOf(own)
    const vnode =
      origin === null
        ? h(type as AnyComponent, props, ...children)
        : islands.host({ type, props, children, mark: node.mark, origin })
    if (!program.isGuarded) return vnode
    marks.set(vnode, node.mark)
    // Groups such as tabs know their parts by type, so parts of a built-in component stay bare.
    const isBare = builtIn !== null ? isInBuiltIn : type.name === 'MdxContent'
    return isBare ? vnode : guard(vnode, node.mark, 'component', () => h(Fragment, null, children))
  }

  const expression = (node: TreeExpression, scope: ModuleScope, isInBuiltIn: boolean): ComponentChildren => {
    const result = evaluate(node, scope)
    if (!result.isDone) return node.source
    const value = result.value as ComponentChildren
    const isText = typeof value !== 'object' || value === null
    // `<Tabs>{list.map(…)}</Tabs>`: what an expression makes for a group has to be known by its type too.
    const isBare = isText || (isInBuiltIn && holdsBuiltIns(value))
    return isBare || !program.isGuarded ? value : guard(value, node.mark, 'expression', () => node.source)
  }

  const builtInTypes = new Set<unknown>(Object.values(components))
  const holdsBuiltIns = (value: ComponentChildren): boolean =>
    toChildArray(value).every((child) => typeof child === 'object' && builtInTypes.has((child as VNode).type))

  const guard = (
    content: ComponentChildren,
    mark: number,
    kind: FailureKind,
    instead: () => ComponentChildren,
  ): ComponentChildren => {
    const start = { moment: state.moment() }
    return h(Boundary, {
      before: () => {
        announce(mark)
        start.moment = state.moment()
      },
      fallback: (error: unknown) => {
        state.rewind(start.moment)
        fail(kind, mark, messageOf(error))
        return instead()
      },
      children: content,
    })
  }

  const evaluate = (node: TreeExpression, scope: ModuleScope): { isDone: boolean; value: unknown } => {
    const failed = { isDone: false, value: undefined }
    if (disabled.has(node.mark)) return failed
    try {
      if (node.path) {
        const found = lookUp(scope.names, node.path)
        if (found.found) return { isDone: true, value: checked(found.value) }
        const [first = ''] = node.path
        if (!scope.missing.has(first) && !program.isCodeOff) fail('undefined_name', node.mark, first)
        return failed
      }
      if (program.isCodeOff) return failed
      announce(node.mark)
      const body = scope.module.code[node.code ?? -1] ?? ''
      return { isDone: true, value: checked(modules.evaluate(body, scope.names, node.mark)) }
    } catch (error) {
      fail('expression', node.mark, messageOf(error))
      return failed
    }
  }

  const propsOf = (
    props: LiteralProps | undefined,
    dynamic: DynamicProp[] | undefined,
    scope: ModuleScope,
  ): Record<string, unknown> | null => {
    if (!dynamic) return props ?? null
    const made: Record<string, unknown> = { ...props }
    for (const prop of dynamic) {
      const result = evaluate(prop.value, scope)
      if (!result.isDone) continue
      if (prop.name !== null) made[prop.name] = result.value
      else if (typeof result.value === 'object') Object.assign(made, result.value)
    }
    return made
  }

  const hooks = options as { errorBoundaries?: boolean; __r?: (vnode: VNode) => void }
  const previousRender = hooks.__r
  hooks.errorBoundaries = program.isGuarded
  if (program.isGuarded) {
    hooks.__r = (vnode) => {
      const mark = marks.get(vnode)
      if (mark !== undefined) announce(mark)
      previousRender?.(vnode)
    }
  }
  setPageScope(state)
  try {
    const entry = modules.load(program.entry)
    const content = entry?.exports.default as AnyComponent
    const html = renderToString(h(content, {}))
    if (html.length > LONGEST_PAGE) throw new RangeError('the page is longer than 20 MB')
    announce(-1)
    return {
      html,
      headings: state.headings,
      codes: state.codes,
      updateTags: state.updateTags,
      usesMermaid: state.isMermaidUsed(),
      islands: [...state.islands.values()],
      failures,
    }
  } finally {
    setPageScope(null)
    hooks.__r = previousRender
  }
}

function find(names: Names, name: string): AnyComponent | null {
  if (hasName(names, name)) return asComponent(names[name])
  const path = name.split('.')
  if (path.length === 1) return null
  try {
    return asComponent(lookUp(names, path).value)
  } catch {
    return null
  }
}

function asComponent(value: unknown): AnyComponent | null {
  return typeof value === 'function' ? (value as AnyComponent) : null
}

/** A value that may become text or a prop: a string within bounds. */
function checked(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONGEST_VALUE) {
    throw new RangeError(`its value is longer than ${LONGEST_VALUE} characters`)
  }
  return value
}

function fillIn(template: string, given: Record<string, unknown> | null): string {
  if (!given) return template
  return template.replace(/\{(?:props\.)?([A-Za-z_$][\w$]*)\}/g, (whole, name: string) => {
    const value = hasName(given, name) ? given[name] : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
}

/** Props of a component that are most likely text for readers, in the order in which they are shown. */
const TEXT_PROPS = ['subtitle', 'description', 'label', 'caption', 'text', 'content', 'message']

/** Nothing of a component that is not there is lost: its title, its texts and its content are shown. */
function unknownContent(
  name: string,
  props: Record<string, unknown>,
  components: Registry,
): ComponentChildren {
  if (name === 'Image' && typeof props.src === 'string') {
    const { src, alt, width, height } = props
    return h((components.img ?? 'img') as string, { src, alt, width, height })
  }
  const href = props.href ?? props.to
  if (name === 'Link' && typeof href === 'string') {
    return h((components.a ?? 'a') as string, { href }, props.children as ComponentChildren)
  }
  const title = typeof props.title === 'string' ? h('p', null, h('strong', null, props.title)) : null
  const texts = TEXT_PROPS.map((key) => props[key]).filter((value) => typeof value === 'string')
  const paragraphs = texts.map((text) => h('p', null, text))
  return h(Fragment, null, title, paragraphs, props.children as ComponentChildren)
}

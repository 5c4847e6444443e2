/** Renders the program of a page to HTML. */
import type { ComponentChildren, ComponentType, VNode } from 'preact'
import { Fragment, h, options, toChildArray } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { BUILT_IN_NAMES } from '../tree/built-in-names.ts'
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
  TreePart,
} from '../tree/program.ts'
import { Boundary } from './error-boundary.ts'
import { createIslands, type Islands } from './islands.ts'
import { hasName, lookUp, type Names } from './literal-path.ts'
import { AbsentPackage, formatError, type ModuleScope, PageModules, type Registry } from './module-scope.ts'
import { setPageScope } from './page-scope.ts'
import { createPageState, type PageState } from './page-state.ts'
import { findUndefinedName, hasFallback } from './undefined-name.ts'

/** Maximum number of characters in the value of an expression. */
const MAX_VALUE_CHARACTERS = 2_000_000
const MAX_PAGE_CHARACTERS = 20_000_000
const MAX_FAILURES = 200

type AnyComponent = ComponentType<Record<string, unknown>>

export function renderPage(
  program: PageProgram,
  components: Registry,
  announce: (mark: number) => void,
): PageOutcome {
  if (program.isGuarded) return new PageRendering(program, components, announce).render()
  try {
    return new PageRendering(program, components, announce).render()
  } catch {
    return new PageRendering({ ...program, isGuarded: true }, components, announce).render()
  }
}

class PageRendering {
  readonly #program: PageProgram
  readonly #components: Registry
  readonly #announce: (mark: number) => void
  readonly #state: PageState
  readonly #modules: PageModules
  readonly #islands: Islands
  readonly #builtInTypes: ReadonlySet<unknown>
  readonly #disabled: ReadonlySet<number>
  readonly #failures: Failure[] = []
  readonly #reported = new Set<string>()
  readonly #marks = new WeakMap<object, number>()

  constructor(program: PageProgram, components: Registry, announce: (mark: number) => void) {
    this.#program = program
    this.#components = components
    this.#announce = program.isGuarded ? announce : () => {}
    this.#state = createPageState(program)
    this.#disabled = new Set(program.disabled)
    this.#builtInTypes = new Set<unknown>(Object.values(components))
    this.#modules = new PageModules({
      program,
      components,
      announce: this.#announce,
      fail: (kind, mark, detail) => this.#fail(kind, mark, detail),
      contentOf: (scope) => this.#contentOf(scope),
      unknownComponent: (name, mark) => this.#unknownComponent(name, mark),
    })
    this.#islands = createIslands({
      state: this.#state,
      fail: (kind, mark, detail) => this.#fail(kind, mark, detail),
      watch: (vnode, mark) => this.#marks.set(vnode, mark),
      idOf: (component) => this.#idOf(component),
    })
  }

  render(): PageOutcome {
    const end = this.#beginHooks()
    setPageScope(this.#state)
    try {
      const entry = this.#modules.load(this.#program.entry)
      const content = entry?.exports.default as AnyComponent
      const html = removeLostAliases(renderToString(h(content, {})), this.#state.lostAliases())
      if (html.length > MAX_PAGE_CHARACTERS) throw new RangeError('the page is longer than 20 MB')
      this.#announce(-1)
      const { headings, codes, updateTags, islands, parts } = this.#state
      return {
        html,
        headings,
        codes,
        updateTags,
        usesMermaid: this.#state.isMermaidUsed(),
        islands: [...islands.values()],
        failures: this.#failures,
        parts,
      }
    } finally {
      setPageScope(null)
      end()
    }
  }

  /**
   * If the page is guarded, announces each marked element before it is rendered. Returns a function that stops the
   * announcements.
   */
  #beginHooks(): () => void {
    const hooks = options as { errorBoundaries?: boolean; __r?: ((vnode: VNode) => void) | undefined }
    const previousRender = hooks.__r
    hooks.errorBoundaries = this.#program.isGuarded
    if (this.#program.isGuarded) {
      hooks.__r = (vnode) => {
        const mark = this.#marks.get(vnode)
        if (mark !== undefined) this.#announce(mark)
        previousRender?.(vnode)
      }
    }
    return () => {
      hooks.__r = previousRender
    }
  }

  #fail(kind: FailureKind, mark: number, detail: string) {
    const key = kind === 'unknown_component' ? `${kind} ${detail}` : `${kind} ${mark}`
    if (this.#reported.has(key) || this.#failures.length >= MAX_FAILURES) return
    this.#reported.add(key)
    this.#failures.push({ kind, mark, detail })
  }

  #unknownComponent(name: string, mark: number): AnyComponent {
    const Unknown = (props: Record<string, unknown>) => {
      this.#fail('unknown_component', mark, name)
      return renderUnknownContent(name, props, this.#components)
    }
    return Unknown as AnyComponent
  }

  #contentOf(scope: ModuleScope): AnyComponent {
    const MdxContent = (props: Record<string, unknown>) => {
      const names: Names = Object.assign(Object.create(null), scope.names, { children: undefined }, props, {
        props,
      })
      return h(Fragment, null, this.#nodes(scope.module.tree, { ...scope, names }, false, props))
    }
    return MdxContent
  }

  #idOf(component: object): string | null {
    const origin = this.#modules.findOrigin(component)
    if (origin !== null) return `${origin.module}#${origin.name}`
    return BUILT_IN_NAMES.find((name) => this.#components[name] === component) ?? null
  }

  #nodes(
    tree: readonly TreeNode[] | undefined,
    scope: ModuleScope,
    isInBuiltIn: boolean,
    snippetProps: Record<string, unknown> | null,
  ): ComponentChildren[] {
    const made: ComponentChildren[] = []
    for (const node of tree ?? []) made.push(this.#one(node, scope, isInBuiltIn, snippetProps))
    return made
  }

  #one(
    node: TreeNode,
    scope: ModuleScope,
    isInBuiltIn: boolean,
    snippetProps: Record<string, unknown> | null,
  ): ComponentChildren {
    if (typeof node === 'string') return node
    if ('tag' in node) return this.#element(node, scope, snippetProps)
    if ('name' in node) return this.#component(node, scope, isInBuiltIn, snippetProps)
    if ('html' in node) return h(Fragment, { tpl: [node.html], exprs: [] } as object, node.text)
    if ('part' in node) return this.#part(node, scope, snippetProps)
    if ('template' in node) return fillTemplate(node.template, snippetProps)
    return this.#expression(node, scope, isInBuiltIn)
  }

  #part(node: TreePart, scope: ModuleScope, snippetProps: Record<string, unknown> | null): VNode {
    // Assigns ids during rendering, so that ids of earlier content are assigned first.
    const Part = () => {
      const parts = {
        tpl: this.#state.part(node),
        exprs: [h(Fragment, null, this.#nodes(node.children, scope, false, snippetProps))],
      }
      return h(Fragment, parts as object)
    }
    return h(Part, {})
  }

  #element(node: TreeElement, scope: ModuleScope, snippetProps: Record<string, unknown> | null): VNode {
    const children = this.#nodes(node.children, scope, false, snippetProps)
    const props = this.#propsOf(node.props, node.dynamic, scope)
    // Names with a colon are reserved for internal components, which author tags must not select.
    const isOpen = !node.isPlain && !node.tag.includes(':') && hasName(this.#components, node.tag)
    const override = isOpen ? this.#components[node.tag] : null
    return h((override ?? node.tag) as string, props, ...children)
  }

  #component(
    node: TreeComponent,
    scope: ModuleScope,
    isInBuiltIn: boolean,
    snippetProps: Record<string, unknown> | null,
  ): ComponentChildren {
    const own = find(scope.names, node.name)
    const builtIn = own === null ? find(this.#components, node.name) : null
    const children = this.#nodes(node.children, scope, builtIn !== null, snippetProps)
    if (this.#disabled.has(node.mark)) return h(Fragment, null, children)
    const [first = ''] = node.name.split('.')
    if (
      own === null &&
      builtIn === null &&
      (scope.missing.has(first) || scope.missing.has(node.name) || this.#program.isCodeOff)
    ) {
      const props = this.#propsOf(node.props, node.dynamic, scope)
      const origin = this.#modules.failedOrigin(scope, node.name)
      const open = origin && this.#islands.open({ props, children, origin })
      return open ?? renderUnknownContent(node.name, { ...props, children }, this.#components)
    }
    const type = own ?? builtIn ?? this.#unknownComponent(node.name, node.mark)
    const props = this.#propsOf(node.props, node.dynamic, scope)
    const origin = own === null ? null : this.#modules.findOrigin(own)
    const vnode =
      origin === null
        ? h(type as AnyComponent, props, ...children)
        : this.#islands.host({ type, props, children, mark: node.mark, origin })
    if (!this.#program.isGuarded) return vnode
    this.#marks.set(vnode, node.mark)
    // Children of built-in components are not wrapped, because components such as tabs identify them by type.
    const isBare = builtIn !== null ? isInBuiltIn : type.name === 'MdxContent'
    if (isBare) return vnode
    const open = () => (origin === null ? null : this.#islands.open({ props, children, origin }))
    return this.#guard(vnode, node.mark, 'component', () => h(Fragment, null, children), open)
  }

  #expression(node: TreeExpression, scope: ModuleScope, isInBuiltIn: boolean): ComponentChildren {
    const result = this.#evaluate(node, scope)
    if (!result.isDone) return node.source
    const value = result.value as ComponentChildren
    const isText = typeof value !== 'object' || value === null
    // Built-in elements created by an expression, as in `<Tabs>{list.map(…)}</Tabs>`, are identified by type as
    // well.
    const isBare = isText || (isInBuiltIn && this.#holdsBuiltIns(value))
    return isBare || !this.#program.isGuarded
      ? value
      : this.#guard(value, node.mark, 'expression', () => node.source)
  }

  #holdsBuiltIns(value: ComponentChildren): boolean {
    return toChildArray(value).every(
      (child) => typeof child === 'object' && this.#builtInTypes.has((child as VNode).type),
    )
  }

  #guard(
    content: ComponentChildren,
    mark: number,
    kind: FailureKind,
    instead: () => ComponentChildren,
    open: () => VNode | null = () => null,
  ): ComponentChildren {
    const start = { moment: this.#state.moment() }
    return h(Boundary, {
      before: () => {
        this.#announce(mark)
        start.moment = this.#state.moment()
      },
      fallback: (error: unknown) => {
        this.#state.rewind(start.moment)
        const placeholder = error instanceof AbsentPackage ? null : open()
        const message = formatError(error)
        const isLacking = placeholder !== null && / is not defined$/.test(message)
        this.#fail(isLacking ? 'browser_only' : kind, mark, message)
        return placeholder ?? instead()
      },
      children: content,
    })
  }

  #evaluate(node: TreeExpression, scope: ModuleScope): { isDone: boolean; value: unknown } {
    const failed = { isDone: false, value: undefined }
    if (this.#disabled.has(node.mark)) return failed
    try {
      if (node.path) {
        const found = lookUp(scope.names, node.path)
        if (found.found) return { isDone: true, value: checked(found.value) }
        const [first = ''] = node.path
        const builtIn = /^\p{Lu}/u.test(first) ? find(this.#components, node.path.join('.')) : null
        if (builtIn !== null) return { isDone: true, value: builtIn }
        if (!scope.missing.has(first) && !this.#program.isCodeOff)
          this.#fail('undefined_name', node.mark, first)
        return failed
      }
      if (this.#program.isCodeOff) return failed
      this.#announce(node.mark)
      return { isDone: true, value: checked(this.#run(node, scope)) }
    } catch (error) {
      this.#fail('expression', node.mark, formatError(error))
      return failed
    }
  }

  /** Evaluates an expression. An undefined name has the value undefined if the source allows that: `{verb ?? "is"}`. */
  #run(node: TreeExpression, scope: ModuleScope): unknown {
    const body = scope.module.code[node.code ?? -1] ?? ''
    const names: Names = Object.assign(Object.create(null), scope.names)
    for (;;) {
      try {
        return this.#modules.evaluate(body, names, node.mark)
      } catch (error) {
        const name = findUndefinedName(error)
        if (name === null || hasName(names, name) || !hasFallback(node.source, name)) throw error
        names[name] = undefined
        // In a snippet, undefined names are props that were not passed.
        const isPage = scope.module === this.#program.modules[this.#program.entry]
        if (isPage) this.#fail('undefined_name', node.mark, name)
      }
    }
  }

  #propsOf(
    props: LiteralProps | undefined,
    dynamic: DynamicProp[] | undefined,
    scope: ModuleScope,
  ): Record<string, unknown> | null {
    if (!dynamic) return props ?? null
    const made: Record<string, unknown> = { ...props }
    for (const prop of dynamic) {
      const result = this.#evaluate(prop.value, scope)
      if (!result.isDone) continue
      if (prop.name !== null) made[prop.name] = result.value
      else if (typeof result.value === 'object') Object.assign(made, result.value)
    }
    return made
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

/** Limits the length of a string that may become text or a prop. */
function checked(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_VALUE_CHARACTERS) {
    throw new RangeError(`its value is longer than ${MAX_VALUE_CHARACTERS} characters`)
  }
  return value
}

function fillTemplate(template: string, snippetProps: Record<string, unknown> | null): string {
  if (!snippetProps) return template
  return template.replace(/\{(?:props\.)?([A-Za-z_$][\w$]*)\}/g, (whole, name: string) => {
    const value = hasName(snippetProps, name) ? snippetProps[name] : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
}

/** Props that probably contain text to display, in this order. */
const TEXT_PROPS = ['subtitle', 'description', 'label', 'caption', 'text', 'content', 'message']

/** Renders title, text props and content of an unknown component. */
function renderUnknownContent(
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

function removeLostAliases(html: string, aliases: readonly string[]): string {
  let cleaned = html
  for (const alias of aliases) {
    const id = alias.replaceAll('&', '&amp;')
    cleaned = cleaned.replace(`<span class="other-anchor" id="${id}"></span>`, '')
  }
  return cleaned
}

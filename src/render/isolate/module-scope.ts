/** Names that are visible in a file: imports, exports and, in a snippet, its props. */
import type { ComponentChildren, ComponentType } from 'preact'
import * as jsxRuntime from 'preact/jsx-runtime'
import type {
  ComponentOrigin,
  FailureKind,
  ImportBinding,
  MdxModule,
  PageProgram,
  ScriptModule,
} from '../tree/program.ts'
import { hasName, type Names } from './literal-path.ts'
import { FREE_NAMES, react } from './react.ts'

export type Registry = Record<string, ComponentType<Record<string, unknown>>>

export interface ModuleScope {
  module: MdxModule
  names: Names
  /** Imported names that do not exist. Already reported. */
  missing: ReadonlySet<string>
}

export interface ScopeDeps {
  program: PageProgram
  components: Registry
  announce: (mark: number) => void
  fail: (kind: FailureKind, mark: number, detail: string) => void
  /** Returns the content of a snippet as a component. Its name contains `Mdx`, so that groups can expand it. */
  contentOf: (scope: ModuleScope) => ComponentType<Record<string, unknown>>
  unknownComponent: (name: string, mark: number) => ComponentType<{ children?: ComponentChildren }>
}

const PACKAGES: Record<string, unknown> = {
  react,
  preact: react,
  'preact/hooks': react,
  'preact/compat': react,
  'react/jsx-runtime': jsxRuntime,
  'preact/jsx-runtime': jsxRuntime,
}

interface LoadedModule {
  exports: Names
  /** Whether the code has thrown an error, which has been reported. Its exports are missing. */
  hasFailed: boolean
  scope: ModuleScope | null
}

/** Loads each file once. Import cycles between snippets are removed during compilation. */
export class PageModules {
  readonly #deps: ScopeDeps
  readonly #loaded = new Map<string, LoadedModule>()
  readonly #origins = new WeakMap<object, ComponentOrigin>()
  #inherited: Names | null = null

  constructor(deps: ScopeDeps) {
    this.#deps = deps
  }

  load(path: string): LoadedModule | null {
    const cached = this.#loaded.get(path)
    if (cached) return cached
    const module = this.#deps.program.modules[path]
    if (!module) return null
    const entry: LoadedModule = { exports: {}, hasFailed: false, scope: null }
    this.#loaded.set(path, entry)
    if (module.kind === 'script') this.#runScript(path, module, entry)
    else this.#openMdx(path, module, entry)
    return entry
  }

  /** Records the origin of functions: the first file that exports them. The browser imports them from the same file. */
  #remember(path: string, exports: Names) {
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value === 'function' && !this.#origins.has(value))
        this.#origins.set(value, { module: path, name })
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
      for (const [part, inner] of Object.entries(value)) {
        const origin = { module: path, name: `${name}.${part}` }
        if (typeof inner === 'function' && !this.#origins.has(inner)) this.#origins.set(inner, origin)
      }
    }
  }

  #openMdx(path: string, module: MdxModule, entry: LoadedModule) {
    const missing = new Set<string>()
    const names: Names = Object.create(null)
    names.user = {}
    entry.scope = { module, names, missing }
    entry.exports.default = this.#deps.contentOf(entry.scope)
    // Without this flag, the default import of compiled code would be the whole module.
    Object.defineProperty(entry.exports, '__esModule', { value: true })
    for (const binding of module.imports) this.#bind(binding, names, missing)
    for (const [name, value] of Object.entries(module.data)) {
      names[name] = value
      entry.exports[name] = value
    }
    if (module.esm && this.#isAllowed(module.esm.mark)) {
      const { body, mark } = module.esm
      const exports = this.#attempt(mark, () => this.evaluate(body, names, mark)) ?? {}
      this.#attempt(mark, () => this.#remember(path, exports))
      for (const [name, value] of Object.entries(exports)) {
        if (name === 'default') continue
        names[name] = value
        entry.exports[name] = value
      }
    }
  }

  #bind(binding: ImportBinding, names: Names, missing: Set<string>) {
    const target = binding.from === null ? null : this.load(binding.from)
    if (!target) {
      missing.add(binding.local)
      return
    }
    const { exports } = target
    if (binding.imported === '*') names[binding.local] = exports
    else if (hasName(exports, binding.imported)) names[binding.local] = exports[binding.imported]
    else if (binding.imported === 'default' && hasName(exports, binding.local)) {
      names[binding.local] = exports[binding.local]
    } else {
      missing.add(binding.local)
      if (!this.#deps.program.isCodeOff && !target.hasFailed)
        this.#deps.fail('undefined_name', binding.mark, binding.local)
    }
  }

  #runScript(path: string, module: ScriptModule, entry: LoadedModule) {
    if (!this.#isAllowed(module.mark)) return
    const require = (specifier: string): unknown => {
      if (hasName(PACKAGES, specifier)) return PACKAGES[specifier]
      const target = module.resolutions[specifier]
      const found = target === undefined || target === path ? null : this.load(target)
      return found ? found.exports : createMissingModule(specifier, this.#deps.components)
    }
    const holder = { exports: entry.exports }
    const isDone = this.#attempt(module.mark, () => {
      const body = `return (function(module, exports, require){${module.code}\n})(...arguments[0])`
      this.#inherited ??= this.#findInheritedNames()
      this.evaluate(body, Object.create(this.#inherited), module.mark, [holder, holder.exports, require])
      // Copied after the code has run, because the exports are getters that would throw earlier.
      if (typeof holder.exports === 'object' && holder.exports !== null) entry.exports = { ...holder.exports }
      this.#remember(path, entry.exports)
      return true
    })
    if (isDone) return
    entry.exports = {}
    entry.hasFailed = true
  }

  /**
   * Returns names that scripts may use without importing them, as some authors do. Names of the page take precedence.
   */
  #findInheritedNames(): Names {
    const { entry, modules } = this.#deps.program
    const inherited: Names = Object.create(null)
    for (const path of [entry, ...Object.keys(modules)]) {
      const module = modules[path]
      if (module?.kind !== 'mdx') continue
      for (const { local, imported, from } of module.imports) {
        if (from === null || hasName(inherited, local) || this.#isBuiltIn(local)) continue
        const get = () => {
          const exports = this.load(from)?.exports ?? {}
          if (imported === '*') return exports
          return exports[imported] ?? (imported === 'default' ? exports[local] : undefined)
        }
        Object.defineProperty(inherited, local, { get, enumerable: true })
      }
    }
    return inherited
  }

  #isBuiltIn(name: string): boolean {
    return hasName(this.#deps.components, name) || hasName(FREE_NAMES, name)
  }

  #isAllowed(mark: number) {
    return !this.#deps.program.isCodeOff && !this.#deps.program.disabled.includes(mark)
  }

  #attempt<T>(mark: number, run: () => T): T | null {
    this.#deps.announce(mark)
    try {
      return run()
    } catch (error) {
      this.#deps.fail('module', mark, formatError(error))
      return null
    }
  }

  /**
   * Runs a function body. Looks up free names in `names`, hooks, components, the prototype of `names`, and
   * globals, in this order.
   */
  evaluate(body: string, names: Names, mark: number, argument: unknown = jsxRuntime): Names {
    const inherited = Object.getPrototypeOf(names)
    const scope: Names = Object.assign(Object.create(inherited), this.#deps.components, FREE_NAMES)
    for (const [, name] of body.matchAll(/\bjsxs?\)?\(\s*(\p{Lu}[\p{ID_Continue}$]*)/gu)) {
      if (name && !(name in scope) && !declares(body, name))
        scope[name] = this.#deps.unknownComponent(name, mark)
    }
    Object.assign(scope, names)
    const run = new Function('scope', 'argument', `with(scope){return (function(){${body}\n})(argument)}`)
    return run(scope, argument)
  }

  /** Returns the origin of a component whose file has failed, or null for other names. */
  failedOrigin(scope: ModuleScope, name: string): ComponentOrigin | null {
    const binding = scope.module.imports.find(({ local }) => local === name)
    if (!binding || binding.from === null || binding.imported === '*') return null
    return this.load(binding.from)?.hasFailed ? { module: binding.from, name: binding.imported } : null
  }

  /** Returns the export for an author's component, or null if the component was created dynamically. */
  findOrigin(component: object): ComponentOrigin | null {
    return this.#origins.get(component) ?? null
  }
}

/** A package is missing, and is not available in the browser either. */
export class AbsentPackage extends Error {}

/** Replaces a missing package. Built-in components work; other names throw when they are called. */
function createMissingModule(specifier: string, components: Registry): object {
  const names = new Proxy(
    {},
    {
      get: (_target, name) =>
        typeof name === 'symbol' || name === '__esModule' || name === 'then'
          ? undefined
          : hasName(components, name)
            ? components[name]
            : () => {
                throw new AbsentPackage(`there is no ${specifier}`)
              },
    },
  )
  // On the prototype, because compiled imports copy own properties and preserve the prototype.
  return Object.create(names)
}

function declares(body: string, name: string): boolean {
  return new RegExp(
    `\\b(?:const|let|var|function|class)\\s+${name.replace(/\$/g, '\\$')}(?![\\p{ID_Continue}$])`,
    'u',
  ).test(body)
}

/** Returns one line of at most 200 characters for any thrown value. */
export function formatError(error: unknown): string {
  let text = 'something that is not an error was thrown'
  try {
    if (error instanceof Error) text = String(error.message)
    else if (typeof error === 'string') text = error
  } catch {
    // a getter has thrown: use the default text
  }
  return text.replace(/\s+/g, ' ').slice(0, 200)
}

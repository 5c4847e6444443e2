/**
 * Compiles a Markdown file to a module of an island script. The module renders the tree with function calls. Runs in a
 * render child and evaluates nothing.
 */
import type { InheritedImport } from '../page/body.ts'
import { BUILT_IN_NAMES } from '../tree/built-in-names.ts'
import { FREE_REACT_NAMES } from '../tree/island-names.ts'
import type {
  ComponentOrigin,
  DynamicProp,
  LiteralProps,
  MdxModule,
  PageProgram,
  TreeNode,
} from '../tree/program.ts'

/** Module with the components for elements: `components/island-elements.ts`. */
export const ELEMENTS = 'octavo:elements'

const ELEMENT_NAMES: Readonly<Record<string, string>> = {
  h1: 'H1',
  h2: 'H2',
  h3: 'H3',
  h4: 'H4',
  h5: 'H5',
  h6: 'H6',
  iframe: 'Iframe',
  img: 'Img',
  input: 'Input',
  pre: 'Pre',
  table: 'Table',
  video: 'Video',
}
const IDENTIFIER_PATTERN = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** Returns the sources of Markdown modules by key, with a compiled body if an island can import them. */
export function createIslandModuleSources(
  program: Pick<PageProgram, 'modules' | 'entry'>,
  moduleTexts: Readonly<Record<string, string>>,
  uses: readonly ComponentOrigin[],
): Record<string, string> {
  const texts = { ...moduleTexts }
  for (const path of collectReachable(program, uses)) {
    const module = Object.hasOwn(program.modules, path) ? program.modules[path] : undefined
    if (module?.kind !== 'mdx' || path === program.entry) continue
    texts[path] =
      `${collectImports(module, moduleTexts[path] ?? '')}\n${bodyText(module, moduleTexts[path] ?? '')}`
  }
  return texts
}

/** Returns the imports of all Markdown files. Those of the page take precedence, as in the isolate. */
export function listInheritedImports({
  modules,
  entry,
}: Pick<PageProgram, 'modules' | 'entry'>): InheritedImport[] {
  const inheritedImports = new Map<string, InheritedImport>()
  for (const path of [entry, ...Object.keys(modules)]) {
    const module = Object.hasOwn(modules, path) ? modules[path] : undefined
    if (module?.kind !== 'mdx') continue
    for (const { local, imported, from } of module.imports) {
      const isScript = from !== null && Object.hasOwn(modules, from) && modules[from]?.kind === 'script'
      if (isScript && NAME.test(local) && !inheritedImports.has(local))
        inheritedImports.set(local, { local, imported, from })
    }
  }
  return [...inheritedImports.values()]
}

function collectReachable(
  { modules, entry }: Pick<PageProgram, 'modules' | 'entry'>,
  uses: readonly ComponentOrigin[],
) {
  const paths = new Set(uses.map(({ module }) => module))
  for (const path of paths) {
    const module = Object.hasOwn(modules, path) ? modules[path] : undefined
    if (module?.kind === 'script') for (const next of Object.values(module.resolutions)) paths.add(next)
    else if (module)
      // Skips imports that only the text of the page uses, because components cannot use them.
      for (const { local, from } of module.imports)
        if (from !== null && (path !== entry || module.esm?.body.includes(local))) paths.add(from)
  }
  return paths
}

/** Returns the imports and exports of a file, including imports nested in tags. */
function collectImports(module: MdxModule, written: string): string {
  const usedNames = new Set(written.match(IDENTIFIER_PATTERN))
  const own = module.imports.flatMap(({ local, imported, from }, index) => {
    if (from === null || usedNames.has(local)) return []
    const name = NAME.test(local) ? local : `included${index}`
    const clause = imported === '*' ? `* as ${name}` : `{ ${imported} as ${name} }`
    return [`import ${clause} from ${JSON.stringify(`/${from}`)}`]
  })
  return [...own, written].join('\n')
}

function bodyText(module: MdxModule, written: string): string {
  const bound = new Map<string, string>()
  for (const [index, { local }] of module.imports.entries())
    bound.set(local, NAME.test(local) ? local : `included${index}`)
  for (const [, name = ''] of written.matchAll(
    /^(?:export[ \t]+)?(?:async[ \t]+)?(?:const|let|var|function\*?|class)[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gmu,
  ))
    bound.set(name, name)
  const body: Body = { bound, elements: new Set(), given: new Set(), hasTemplates: false }
  const content = compileNodes(body, module.tree)
  const elements = [...body.elements]
  const given = [...body.given].map((name) => `${name} = globalThis.${name}`)
  return [
    `import { h as make, Fragment as Parts } from 'preact'`,
    ...(elements.length > 0
      ? [`import { ${elements.map((name) => `${name} as make${name}`).join(', ')} } from '${ELEMENTS}'`]
      : []),
    ...(body.hasTemplates ? [FILL] : []),
    'export default function MdxContent(props) {',
    ...(given.length > 0 ? [`  const { ${given.join(', ')} } = props`] : []),
    `  return make(Parts, null${content})`,
    '}',
  ].join('\n')
}

/** Fills variables in snippet code in the same way as the build. */
const FILL = `const fill = (text, given) => text.replace(/\\{(?:props\\.)?([A-Za-z_$][\\w$]*)\\}/g, (whole, name) =>
  typeof given[name] === 'string' || typeof given[name] === 'number' ? String(given[name]) : whole)`

interface Body {
  /** Names of variables in the generated code, by the names in the file. */
  bound: ReadonlyMap<string, string>
  elements: Set<string>
  /** Names that are props. */
  given: Set<string>
  hasTemplates: boolean
}

/** Returns the nodes as additional arguments of a call, with a comma before each. */
function compileNodes(body: Body, nodes: readonly TreeNode[] | undefined): string {
  return (nodes ?? []).map((node) => `, ${compileNode(body, node)}`).join('')
}

function compileNode(body: Body, node: TreeNode): string {
  if (typeof node === 'string') return JSON.stringify(node)
  if ('tag' in node) {
    const type = node.isPlain ? JSON.stringify(node.tag) : elementType(body, node.tag)
    return `make(${type}, ${compileProps(body, node.props, node.dynamic)}${compileNodes(body, node.children)})`
  }
  if ('name' in node)
    return `make(${componentType(body, node.name)}, ${compileProps(body, node.props, node.dynamic)}${compileNodes(body, node.children)})`
  if ('html' in node)
    return `make('span', { dangerouslySetInnerHTML: { __html: ${JSON.stringify(node.html)} } })`
  if ('template' in node) {
    body.hasTemplates = true
    return `fill(${JSON.stringify(node.template)}, props)`
  }
  // Parts are rendered in the page itself, not in an island.
  if ('part' in node) return 'null'
  return compileExpression(body, node.source)
}

function elementType(body: Body, tag: string): string {
  if (tag === 'a') return 'Link'
  const name = Object.hasOwn(ELEMENT_NAMES, tag) ? ELEMENT_NAMES[tag] : undefined
  if (name === undefined) return JSON.stringify(tag)
  body.elements.add(name)
  return `make${name}`
}

/** Returns the component, with a fallback to its content if it is unavailable in the browser. */
function componentType({ bound, given }: Body, name: string): string {
  const whole = bound.get(name)
  if (whole !== undefined) return whole
  const [first = '', ...rest] = name.split('.')
  if (bound.has(first) || BUILT_IN_NAMES.includes(first)) return name
  if (!NAME.test(first) || RESERVED_WORDS.has(first)) return 'Parts'
  given.add(first)
  return rest.length === 0 ? `(${first} ?? Parts)` : `(${first}?.${rest.join('?.')} ?? Parts)`
}

function compileProps(
  body: Body,
  props: LiteralProps | undefined,
  dynamic: DynamicProp[] | undefined,
): string {
  if (!dynamic) return props ? JSON.stringify(props) : 'null'
  const parts = props ? [`...${JSON.stringify(props)}`] : []
  for (const { name, value } of dynamic) {
    const text = compileExpression(body, value.source)
    parts.push(name === null ? `...${text}` : `${JSON.stringify(name)}: ${text}`)
  }
  return `{ ${parts.join(', ')} }`
}

/** `source` includes the braces. */
function compileExpression({ bound, given }: Body, source: string): string {
  const text = source.slice(1, -1)
  for (const [name] of text.matchAll(/(?<![\p{ID_Continue}$.])[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
    const isFree = BUILT_IN_NAMES.includes(name) || FREE_REACT_NAMES.includes(name) || /^use[A-Z]/.test(name)
    if (!bound.has(name) && !isFree && !RESERVED_WORDS.has(name)) given.add(name)
  }
  return `(${text}\n)`
}

/** Reserved words, and names that the generated code uses or that must not be shadowed. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    'arguments as async await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false fill finally for from function get if implements import in instanceof interface let make new null ' +
    'of package private process props protected public return set static super switch this throw true try typeof ' +
    'undefined React Parts var void while with yield NaN Infinity globalThis'
  ).split(' '),
)

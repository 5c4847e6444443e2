/** Compiles a page and its imports to a program for the isolate. */

import type { Problem } from '../../base/errors/problem.ts'
import { hashParts } from '../../base/hash.ts'
import type { ApiReference } from '../api/reference.ts'
import type { ReferencePart } from '../api/reference-parts.ts'
import type { BodyRequest, Sample } from '../page/body.ts'
import { BUILT_IN_NAMES } from '../tree/built-in-names.ts'
import type { ImportBinding, MdxModule, PageProgram, ScriptModule, TreeNode } from '../tree/program.ts'
import type { SourceNode } from '../tree/source-node.ts'
import { pickComponentTexts } from '../words/component-texts.ts'
import { uiText } from '../words/ui-text.ts'
import { compileModule } from './compile-expression.ts'
import { findModule, resolveImport } from './compile-links.ts'
import { parseLiteralExports } from './compile-literal.ts'
import { compileReference } from './compile-reference.ts'
import type { BodyRules, ParsedBody } from './compile-repair.ts'
import { compileTree, type TreeDeps } from './compile-tree.ts'
import { protectVariables } from './compile-variables.ts'
import type { MathResult } from './math.ts'
import { takeNestedImports } from './nested-imports.ts'
import { createSampleCollector } from './samples.ts'
import { takeImports } from './take-imports.ts'
import { createTwoslashReporter } from './twoslash.ts'

export interface PageMark {
  file: string
  line: number | null
  label: string
}

export interface CompiledPage {
  program: PageProgram
  /** Locations in the page. Marks in the program are indexes of this list. */
  marks: PageMark[]
  problems: Problem[]
  usesMath: boolean
  /** False if the program contains only data and requires no evaluation. */
  hasCode: boolean
  /** Source of the imports and exports in Markdown files, by key in the program. */
  moduleTexts: Record<string, string>
  /** Static parts that bypass the isolate, by number. */
  parts: ReferencePart[]
  samples: Sample[]
}

/** Script file (`.jsx`, `.tsx`, `.js` or `.ts`) compiled to CommonJS, or an error. */
export type CompiledScript = { code: string } | { message: string; line: number | null }

export interface CompileDeps {
  /** By path. */
  scripts: Readonly<Record<string, CompiledScript>>
  parse(source: string, rules: BodyRules): ParsedBody
  math(tex: string, isBlock: boolean): MathResult
}

const SCRIPT = /\.(?:jsx?|tsx?|mjs)$/i
const MARKDOWN = /\.mdx?$/i
/** Packages available in every file, for which imports are allowed but unnecessary. */
const PACKAGES = new Set(['react', 'preact', 'preact/hooks', 'react/jsx-runtime'])

export function compilePage(deps: CompileDeps, request: BodyRequest): CompiledPage {
  const page: PageAssembly = {
    deps,
    request,
    sources: new Map(request.modules.map((module) => [module.path, module.source])),
    marks: [],
    problems: [],
    modules: {},
    usesMath: false,
    hasCode: false,
    moduleTexts: {},
    parts: [],
    samples: [],
  }
  const entry = `page:${request.file}`
  const own = compileMdx(page, request.file, readBodyText(request), request.bodyLine, [request.file], false)
  page.modules[entry] = own
  if (request.reference !== null) {
    const nodes = referenceNodes(page, request.reference)
    own.tree = request.reference.isAbove ? [...nodes, ...own.tree] : [...own.tree, ...nodes]
  }
  const program: PageProgram = {
    token: hashParts(request.file, request.source).slice(0, 24),
    iconLibrary: request.iconLibrary,
    hasAnchors: request.hasAnchors,
    words: pickComponentTexts(uiText(request.language)),
    entry,
    modules: page.modules,
    disabled: [],
    isCodeOff: false,
    isGuarded: page.hasCode,
  }
  const { marks, problems, usesMath, hasCode, moduleTexts, parts, samples } = page
  return { program, marks, problems, usesMath, hasCode, moduleTexts, parts, samples }
}

function referenceNodes(page: PageAssembly, reference: ApiReference): TreeNode[] {
  const file = reference.source
  const deps = {
    mark: (label: string) => page.marks.push({ file, line: null, label }) - 1,
    part: (part: ReferencePart) => page.parts.push(part) - 1,
    problem: (code: string, message: string, remedy: string, level: Problem['level']) =>
      void page.problems.push({ file, line: null, code, level, message, remedy }),
    math: (tex: string, isBlock: boolean) => {
      page.usesMath = true
      return page.deps.math(tex, isBlock)
    },
    hasMath: page.request.hasMath,
    parse: page.deps.parse,
  }
  return compileReference(deps, reference, page.modules)
}

interface PageAssembly {
  deps: CompileDeps
  request: BodyRequest
  sources: Map<string, string>
  marks: PageMark[]
  problems: Problem[]
  modules: Record<string, MdxModule | ScriptModule>
  usesMath: boolean
  hasCode: boolean
  moduleTexts: Record<string, string>
  parts: ReferencePart[]
  samples: Sample[]
}

/** Returns the text without frontmatter and with `\n` line endings. */
function readBodyText(request: BodyRequest): string {
  const lines = normalized(request.source).split('\n')
  return lines.slice(Math.max(0, request.bodyLine - 1)).join('\n')
}

function normalized(source: string): string {
  return source
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .toWellFormed()
}

/** Returns the text without frontmatter, and its first line number. */
function snippetBody(source: string): { text: string; firstLine: number } {
  const text = normalized(source)
  const found = /^---[ \t]*\n[\s\S]*?\n---[ \t]*(?:\n|$)/.exec(text)
  if (!found) return { text, firstLine: 1 }
  return { text: text.slice(found[0].length), firstLine: found[0].split('\n').length }
}

/** Compiles a Markdown file. `trail` lists the importing files, to detect cycles. */
function compileMdx(
  page: PageAssembly,
  file: string,
  text: string,
  firstLine: number,
  trail: readonly string[],
  isSnippet: boolean,
): MdxModule {
  const at = (line: number | null) => (line === null ? null : line + firstLine - 1)
  const problem = (
    line: number | null,
    code: string,
    message: string,
    remedy: string,
    level: Problem['level'] = 'warning',
  ) => page.problems.push({ file, line: at(line), code, level, message, remedy })
  const mark = (line: number | null, label: string) => page.marks.push({ file, line: at(line), label }) - 1

  const { source, restore } = protectVariables(text, page.request.variables)
  const isMarkdownFile = file.toLowerCase().endsWith('.md')
  const parsed = page.deps.parse(source, { isMarkdownFile, hasMath: page.request.hasMath })
  for (const { line, code, message, remedy, level } of parsed.notices)
    problem(line, code, restore(message, 'code'), remedy, level)
  const module: MdxModule = { kind: 'mdx', tree: [], imports: [], data: {}, esm: null, code: [] }
  const undefinedNames = new Set<string>()
  const tree: TreeDeps = {
    file,
    isSnippet,
    restore: (value, variableContext, line) =>
      restore(value, variableContext, (name) => {
        if (undefinedNames.has(name)) return
        undefinedNames.add(name)
        problem(
          line,
          'variable.undefined',
          `The variable {{${name}}} is not defined.`,
          `Add "${name}" to "variables" in docs.json, or put the text in backticks.`,
        )
      }),
    mark,
    addCode: (body) => module.code.push(body) - 1,
    problem,
    noteTwoslash: createTwoslashReporter(problem),
    math: (tex, isBlock) => {
      page.usesMath = true
      return page.deps.math(tex, isBlock)
    },
    sample: createSampleCollector(page.samples, file, at, page.request.runLanguages),
  }
  readModuleCode(page, module, parsed.root, { file, trail, tree })
  module.tree = [...module.tree, ...compileTree(tree, parsed.root)]
  if (module.code.length > 0 || module.esm !== null) page.hasCode = true
  return module
}

function readModuleCode(
  page: PageAssembly,
  module: MdxModule,
  root: SourceNode,
  context: { file: string; trail: readonly string[]; tree: TreeDeps },
): void {
  const { file, trail, tree } = context
  const blocks: ModuleBlock[] = []
  const written: string[] = []
  for (const node of moduleNodes(root)) {
    const line = node.position?.start.line ?? null
    const source = tree.restore(node.value ?? '', 'script', line)
    const text = takeImports(source, ({ clause, specifier, line: below }) => {
      const own = line === null ? null : line + below
      module.imports.push(...createBindings(page, clause, specifier, own, { file, trail, tree }))
    })
    written.push(source)
    if (text.trim() !== '') blocks.push({ text, line })
  }
  for (const { clause, specifier, line } of takeNestedImports(root))
    module.imports.push(...createBindings(page, clause, specifier, line, { file, trail, tree }))
  for (const tag of snippetTags(root))
    module.imports.push(...snippetBinding(page, tag, { file, trail, tree }))
  if (written.length > 0) page.moduleTexts[tree.isSnippet ? file : `page:${file}`] = written.join('\n\n')
  if (blocks.length > 0) readExports(module, blocks, tree)
}

/** Compiles all exports together. If they conflict, leaves out the block with the error and tries again. */
function readExports(module: MdxModule, blocks: readonly ModuleBlock[], tree: TreeDeps): void {
  const text = blocks.map((block) => block.text).join('\n\n')
  const data = parseLiteralExports(text)
  if (data) {
    module.data = data
    return
  }
  const compiled = compileModule(text)
  if ('body' in compiled) {
    module.esm = { body: compiled.body, mark: tree.mark(blocks[0]?.line ?? null, 'exports of the page') }
    return
  }
  const { index, line } = locateLine(blocks, compiled.line)
  tree.problem(
    line,
    'mdx.syntax',
    `The export cannot be parsed: ${compiled.message}. None of its names are available.`,
    'Correct the code of the export.',
  )
  const others = blocks.filter((_block, at) => at !== index)
  if (others.length > 0) readExports(module, others, tree)
}

interface ModuleBlock {
  text: string
  line: number | null
}

/** Maps a line of the joined blocks to a block and a line of the file. */
function locateLine(
  blocks: readonly ModuleBlock[],
  joined: number | null,
): { index: number; line: number | null } {
  let first = 1
  for (const [index, block] of blocks.entries()) {
    const count = block.text.split('\n').length
    if (joined !== null && joined < first + count)
      return { index, line: block.line === null ? null : block.line + joined - first }
    first += count + 1
  }
  return { index: blocks.length - 1, line: blocks.at(-1)?.line ?? null }
}

/** Returns nodes with imports and exports, including those inside tags. */
function moduleNodes(node: SourceNode): SourceNode[] {
  return (node.children ?? []).flatMap((child) => (child.type === 'mdxjsEsm' ? [child] : moduleNodes(child)))
}

interface ImportContext {
  file: string
  trail: readonly string[]
  tree: TreeDeps
}

function createBindings(
  page: PageAssembly,
  clause: string,
  specifier: string,
  line: number | null,
  context: ImportContext,
): ImportBinding[] {
  if (PACKAGES.has(specifier)) return []
  const mark = context.tree.mark(line, `import of ${specifier}`)
  const from = loadImport(page, specifier, line, context)
  return parseClause(clause)
    .filter(({ local }) => from !== null || !isPackage(specifier) || !BUILT_IN_NAMES.includes(local))
    .map(({ local, imported }) => ({ local, imported, from, mark }))
}

/**
 * Returns whether a specifier is a package. Pages written for other tools import components from packages.
 * Octavo uses its built-in components instead.
 */
function isPackage(specifier: string): boolean {
  return !/^(?:[./]|[a-z]+:)/i.test(specifier)
}

const NAMED_IMPORT = /^\s*(?:type\s+)?([\p{ID_Continue}$]+)(?:\s+as\s+([\p{ID_Continue}$]+))?\s*$/u

function parseClause(clause: string): { local: string; imported: string }[] {
  const found: { local: string; imported: string }[] = []
  const names = /\{([^{}]*)\}/.exec(clause)?.[1] ?? ''
  const rest = clause.replace(/\{[^{}]*\}/, '')
  for (const part of rest.split(',').map((word) => word.trim())) {
    const namespace = /^\*\s+as\s+([\p{ID_Continue}$]+)$/u.exec(part)
    if (namespace?.[1]) found.push({ local: namespace[1], imported: '*' })
    else if (/^[\p{ID_Continue}$]+$/u.test(part)) found.push({ local: part, imported: 'default' })
  }
  for (const part of names.split(',')) {
    const [, imported, local] = NAMED_IMPORT.exec(part) ?? []
    if (imported) found.push({ local: local ?? imported, imported })
  }
  return found
}

/**
 * Compiles an imported file. Returns null if the file is missing or the import is cyclic; both are reported when
 * the site is loaded.
 */
function loadImport(
  page: PageAssembly,
  specifier: string,
  line: number | null,
  context: ImportContext,
): string | null {
  const { file, trail, tree } = context
  const resolvedPath = resolveImport(specifier, file)
  const path = resolvedPath === null ? null : findModule(page.sources, resolvedPath)
  if (path === null || trail.includes(path)) return null
  if (!SCRIPT.test(path) && !MARKDOWN.test(path)) {
    tree.problem(
      line,
      'import.unsupported',
      `The file ${path} cannot be imported.`,
      'Import only .mdx, .md, .jsx, .tsx, .js or .ts files. Use images by their path.',
    )
    return null
  }
  if (Object.hasOwn(page.modules, path)) return path
  if (SCRIPT.test(path)) return loadScript(page, path, tree.mark(line, `import of ${specifier}`))
  const { text, firstLine } = snippetBody(page.sources.get(path) ?? '')
  page.modules[path] = compileMdx(page, path, text, firstLine, [...trail, path], true)
  return path
}

function loadScript(page: PageAssembly, path: string, mark: number): string | null {
  const script = page.deps.scripts[path]
  if (!script || !('code' in script)) {
    page.problems.push({
      file: path,
      line: script?.line ?? null,
      code: 'mdx.syntax',
      level: 'error',
      message: `The file cannot be parsed as JavaScript: ${script?.message ?? 'it was not compiled'}.`,
      remedy: 'Correct the code of the file.',
    })
    return null
  }
  page.hasCode = true
  const module: ScriptModule = { kind: 'script', code: script.code, resolutions: {}, mark }
  page.modules[path] = module
  for (const [, , specifier = ''] of script.code.matchAll(/\brequire\((["'])([^"'\n]+)\1\)/g)) {
    const resolvedPath = resolveImport(specifier, path)
    const found = resolvedPath === null ? null : findModule(page.sources, resolvedPath)
    if (found === null) continue
    if (Object.hasOwn(page.modules, found) || loadRequired(page, found, mark))
      module.resolutions[specifier] = found
  }
  return path
}

function loadRequired(page: PageAssembly, path: string, mark: number): boolean {
  if (!MARKDOWN.test(path)) return !SCRIPT.test(path) || loadScript(page, path, mark) !== null
  const { text, firstLine } = snippetBody(page.sources.get(path) ?? '')
  page.modules[path] = compileMdx(page, path, text, firstLine, [path], true)
  return true
}

/** Returns `<Snippet file="x.mdx" />` elements, an older syntax for including a file from `snippets/`. */
function snippetTags(node: SourceNode): SourceNode[] {
  const own = node.name === 'Snippet' && node.type.startsWith('mdxJsx') ? [node] : []
  return [...own, ...(node.children ?? []).flatMap(snippetTags)]
}

function snippetBinding(page: PageAssembly, tag: SourceNode, context: ImportContext): ImportBinding[] {
  const file = tag.attributes?.find((attribute) => attribute.name === 'file')?.value
  if (typeof file !== 'string') return []
  const line = tag.position?.start.line ?? null
  const candidates = [`/snippets/${file}`, `/_snippets/${file}`, `/${file}`].map((path) =>
    path.replace(/\/{2,}/g, '/'),
  )
  const found = candidates.find((path) => findModule(page.sources, path.slice(1)) !== null)
  const local = `Snippet:${file}`
  tag.name = local
  const mark = context.tree.mark(line, `Snippet ${file}`)
  return [
    { local, imported: 'default', from: loadImport(page, found ?? candidates[0] ?? '', line, context), mark },
  ]
}

/** Parses docusaurus.config, without running it, for the settings that determine the locations of pages. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { ImportError, isPage, trimSlashes } from '../imported-site.ts'
import { readLiteralModule } from '../literal-module.ts'
import type { Notes } from '../notes.ts'
import { excerpt } from '../notes.ts'
import { asFields, asItems, asText, type Fields } from '../values.ts'

export interface DocusaurusConfig {
  file: string
  fields: Fields
  theme: Fields
  docs: DocsPlugin[]
  blogs: BlogPlugin[]
  /** Folder of standalone pages; null if the plugin is disabled. */
  pagesFolder: string | null
  staticFolders: string[]
  locales: string[]
  defaultLocale: string
  redirects: readonly unknown[]
  customCss: string[]
  hasMath: boolean
  /** Whether `.md` files are Markdown rather than MDX. */
  isMarkdownPlain: boolean
}

export interface DocsPlugin {
  /** Plugin id; `default` for the preset's own plugin. */
  id: string
  path: string
  routeBasePath: string
  /** Null if the sidebar is generated from the folder. */
  sidebarPath: string | null
  options: Fields
}

export interface BlogPlugin {
  path: string
  /** Path without leading and trailing slashes. */
  route: string
  title: string
}

const CONFIG_FILES = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts'].map((ending) => `docusaurus.config.${ending}`)

/** Reads the configuration. Throws ImportError if the folder has no docusaurus.config. */
export async function readConfig(tree: FileTree, notes: Notes): Promise<DocusaurusConfig> {
  const file = CONFIG_FILES.find((one) => tree.files.has(one))
  if (file === undefined) {
    throw new ImportError(
      'There is no docusaurus.config.js or .ts in this folder. Use the path of the folder that contains it.',
    )
  }
  const fields = asFields(await readModule(tree, notes, file))
  const plugins = readPlugins(fields)
  const docs: DocsPlugin[] = []
  const blogs: BlogPlugin[] = []
  const customCss: string[] = []
  let redirects: readonly unknown[] = []
  let pagesFolder: string | null = 'src/pages'
  for (const { name, options } of plugins) {
    if (/preset-classic$|^classic$/.test(name)) {
      if (options.docs !== false) docs.push(docsPlugin(asFields(options.docs)))
      if (options.blog !== false) blogs.push(blogPlugin(asFields(options.blog)))
      if (options.pages === false) pagesFolder = null
      else pagesFolder = relativePath(asText(asFields(options.pages).path) ?? 'src/pages')
      const css = asFields(options.theme).customCss
      customCss.push(
        ...[css]
          .flat()
          .flatMap((one) => asText(one) ?? [])
          .map(relativePath),
      )
    } else if (/plugin-content-docs$|^content-docs$/.test(name)) docs.push(docsPlugin(options))
    else if (/plugin-content-blog$|^content-blog$/.test(name)) blogs.push(blogPlugin(options))
    else if (/plugin-client-redirects$|^client-redirects$/.test(name)) {
      redirects = asItems(options.redirects)
      if (options.createRedirects !== undefined) addPluginNote(notes, file, `${name} (createRedirects)`)
    } else if (!/theme-(?:mermaid|classic|live-codeblock)$|plugin-content-pages$/.test(name)) {
      addPluginNote(notes, file, name)
    }
  }
  if (docs.length === 0 && [...tree.files.keys()].some((path) => path.startsWith('docs/')))
    docs.push(docsPlugin({}))
  const i18n = asFields(fields.i18n)
  const defaultLocale = asText(i18n.defaultLocale) ?? 'en'
  const staticFolders = asItems(fields.staticDirectories).flatMap((one) => asText(one) ?? [])
  const configText = await readTextFile(tree, file)
  const config: DocusaurusConfig = {
    file,
    fields,
    theme: asFields(fields.themeConfig),
    docs,
    blogs,
    pagesFolder,
    staticFolders: (staticFolders.length > 0 ? staticFolders : ['static']).map(relativePath),
    locales: [...new Set([defaultLocale, ...asItems(i18n.locales).flatMap((one) => asText(one) ?? [])])],
    defaultLocale,
    redirects,
    customCss,
    hasMath: /\bremark-math\b/.test(configText),
    isMarkdownPlain: ['detect', 'md'].includes(asText(asFields(fields.markdown).format) ?? ''),
  }
  addFolderNotes(tree, notes, config)
  return config
}

/** Adds a note for each configured folder that is empty or outside the imported folder. */
function addFolderNotes(tree: FileTree, notes: Notes, config: DocusaurusConfig): void {
  const others = [...config.blogs.map(({ path }) => path), ...config.staticFolders, config.pagesFolder ?? '']
  const outside = new Set(
    [...config.docs.map(({ path }) => path), ...others].filter((path) => path.split('/')[0] === '..'),
  )
  for (const path of outside)
    notes.add(
      'file',
      config.file,
      `The folder ${excerpt(path)} is outside the imported folder, so it is skipped.`,
      'Move it into the imported folder, update its path in the configuration, and import again.',
    )
  const files = [...tree.files.keys()].filter(isPage)
  for (const { id, path } of config.docs)
    if (!outside.has(path) && !files.some((one) => one.startsWith(`${path}/`)))
      notes.add(
        'file',
        config.file,
        `The docs plugin ${excerpt(id)} uses the folder ${excerpt(path)}, which contains no pages.`,
        'Correct the path in the configuration, and import again.',
      )
}

/** Returns the exported value of a module. Adds a note for each part that cannot be read. */
export async function readModule(tree: FileTree, notes: Notes, file: string): Promise<unknown> {
  const {
    value,
    recordUnread: unread,
    fault,
  } = readLiteralModule(await readTextFile(tree, file), /\.[cm]?ts$/.test(file))
  if (fault)
    notes.add(
      'expression',
      { file, line: fault.line },
      `The file cannot be parsed: ${excerpt(fault.reason)}.`,
    )
  for (const { line, name, source } of unread) {
    // Themes of code blocks and Markdown plugins cannot be converted, so no note is needed.
    if (/^themeConfig\.prism|(?:remark|rehype)Plugins/.test(name)) continue
    notes.add('expression', { file, line }, `${name || 'A value'} is an expression: ${excerpt(source)}.`)
  }
  return value
}

function addPluginNote(notes: Notes, file: string, name: string): void {
  notes.add('plugin', file, `The plugin ${excerpt(name)} has no equivalent.`)
}

function readPlugins(fields: Fields): { name: string; options: Fields }[] {
  return [...asItems(fields.presets), ...asItems(fields.plugins), ...asItems(fields.themes)].flatMap(
    (entry) => {
      const [name, options] = Array.isArray(entry) ? entry : [entry, {}]
      const text = asText(name)
      return text === null ? [] : [{ name: text, options: asFields(options) }]
    },
  )
}

function blogPlugin(options: Fields): BlogPlugin {
  return {
    path: relativePath(asText(options.path) ?? 'blog'),
    route: trimSlashes(asText(options.routeBasePath) ?? 'blog') || 'blog',
    title: asText(options.blogTitle) ?? 'Blog',
  }
}

function docsPlugin(options: Fields): DocsPlugin {
  return {
    id: asText(options.id) ?? 'default',
    path: relativePath(asText(options.path) ?? 'docs'),
    routeBasePath: trimSlashes(asText(options.routeBasePath) ?? 'docs'),
    sidebarPath: typeof options.sidebarPath === 'string' ? relativePath(options.sidebarPath) : null,
    options,
  }
}

export function relativePath(path: string): string {
  return trimSlashes(posix.normalize(path.replace(/^(?:\.?\/)+/, '')))
}

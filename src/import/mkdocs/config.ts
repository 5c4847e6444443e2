/** Reads mkdocs.yml. */
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { readYaml } from '../../site/yaml.ts'
import { ImportError, trimSlashes } from '../imported-site.ts'
import { excerpt, type Notes } from '../notes.ts'
import { asFields, asItems, asText, type Fields } from '../values.ts'

export interface MkDocsConfig {
  file: string
  fields: Fields
  theme: Fields
  features: ReadonlySet<string>
  docsFolder: string
  plugins: ReadonlyMap<string, Fields>
  extensions: ReadonlyMap<string, Fields>
}

const LIMITS = { depth: 60, values: 200_000 }
/** Plugins that are supported or do not affect the import. */
const KNOWN_PLUGINS = new Set(
  'search awesome-pages awesome-nav redirects section-index tags autorefs minify privacy offline social material/search material/tags git-revision-date-localized git-revision-date macros'.split(
    ' ',
  ),
)
/** Supported extensions. See inline-marks.ts and convert-page.ts for the conversion. */
const KNOWN_EXTENSIONS = new Set(
  (
    'abbr admonition attr_list codehilite def_list extra fenced_code footnotes md_in_html meta nl2br sane_lists smarty tables toc ' +
    'pymdownx.arithmatex pymdownx.betterem pymdownx.caret pymdownx.critic pymdownx.details pymdownx.emoji pymdownx.extra ' +
    'pymdownx.highlight pymdownx.inlinehilite pymdownx.keys pymdownx.magiclink pymdownx.mark pymdownx.smartsymbols ' +
    'pymdownx.snippets pymdownx.superfences pymdownx.tabbed pymdownx.tasklist pymdownx.tilde'
  ).split(' '),
)

/** Reads the configuration. Throws ImportError if mkdocs.yml is missing or unreadable. */
export async function readConfig(tree: FileTree, notes: Notes): Promise<MkDocsConfig> {
  const file = ['mkdocs.yml', 'mkdocs.yaml'].find((one) => tree.files.has(one))
  if (file === undefined) {
    throw new ImportError(
      'There is no mkdocs.yml in this folder. Use the path of the folder that contains it.',
    )
  }
  const text = await readTextFile(tree, file)
  const result = readYaml(text, LIMITS)
  if ('fault' in result)
    throw new ImportError(`${file}:${result.fault.line} cannot be parsed: ${result.fault.reason}.`)
  const fields = asFields(result.value)
  addYamlTagNotes(notes, file, text)
  if (fields.INHERIT !== undefined)
    notes.add(
      'setting',
      file,
      `The settings in ${excerpt(String(fields.INHERIT))} are not imported.`,
      'Copy them to mkdocs.yml and import again.',
    )
  const theme = typeof fields.theme === 'string' ? { name: fields.theme } : asFields(fields.theme)
  const plugins = parseNamedOptions(fields.plugins)
  const extensions = parseNamedOptions(fields.markdown_extensions)
  for (const name of plugins.keys())
    if (!KNOWN_PLUGINS.has(name))
      notes.add(
        'plugin',
        { file, line: findLine(text, name) },
        `The plugin ${excerpt(name)} has no equivalent.`,
      )
  for (const name of extensions.keys())
    if (!KNOWN_EXTENSIONS.has(name.replace(/^markdown\.extensions\./, '')))
      notes.add(
        'plugin',
        { file, line: findLine(text, name) },
        `The Markdown extension ${excerpt(name)} has no equivalent.`,
      )
  return {
    file,
    fields,
    theme,
    features: new Set(asItems(theme.features).flatMap((one) => asText(one) ?? [])),
    docsFolder: trimSlashes((asText(fields.docs_dir) ?? 'docs').replace(/^\.\//, '')),
    plugins,
    extensions,
  }
}

/** Adds notes for the tags `!ENV` and `!!python/name:`, whose values depend on the environment. */
function addYamlTagNotes(notes: Notes, file: string, text: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    if (/(?:^|\s)!(?:ENV|relative|include)\b/.test(line))
      notes.add('expression', { file, line: index + 1 }, `The value is a YAML tag: ${excerpt(line)}.`)
  }
}

/** Parses a plugin or extension: `- name`, `- name: {options}`, or `name: {options}`. */
function parseNamedOptions(value: unknown): Map<string, Fields> {
  const entries = Array.isArray(value)
    ? value
    : Object.entries(asFields(value)).map(([name, options]) => ({ [name]: options }))
  const named = new Map<string, Fields>()
  for (const entry of entries) {
    const name = asText(entry)
    if (name !== null) named.set(name, {})
    for (const [key, options] of Object.entries(asFields(entry))) named.set(key, asFields(options))
  }
  return named
}

function findLine(text: string, word: string): number | null {
  const at = text.indexOf(word)
  return at === -1 ? null : text.slice(0, at).split('\n').length
}

/** Returns the text of a setting. The value of an `!ENV` tag may be a list that ends with the default. */
export function settingText(value: unknown): string | null {
  return asText(Array.isArray(value) ? value.at(-1) : value)
}

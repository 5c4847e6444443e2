/** Converts mint.json, the older settings format, to docs.json; every value retains its position in the file. */
import type { Problem } from '../../base/errors/problem.ts'
import {
  fieldOf,
  isFields,
  isList,
  type JsonContent,
  type JsonFields,
  type JsonNode,
  lineOf,
} from '../json.ts'

const OLD_KEYS = [
  'topbarLinks',
  'topbarCtaButton',
  'footerSocials',
  'modeToggle',
  'primaryTab',
  'tabs',
  'anchors',
]

/** True for mint.json, and for a docs.json in its format. */
export function isOldSettings(root: JsonNode): boolean {
  if (root.source.file.endsWith('mint.json')) return true
  const navigation = fieldOf(root, 'navigation')
  return navigation !== undefined && isList(navigation.value) && OLD_KEYS.some((key) => fieldOf(root, key))
}

export function upgradeOldSettings(problems: Problem[], root: JsonNode): JsonNode {
  problems.push({
    file: root.source.file,
    line: null,
    code: 'config.old_form',
    level: 'hint',
    message: `${root.source.file} is written in the older form of the settings; it is read as if it were docs.json.`,
    remedy: 'Move the settings to docs.json.',
  })
  const old = (path: string) => path.split('.').reduce<JsonNode | undefined>(fieldOf, root)
  return fields(root, {
    ...kept(root, [
      '$schema',
      'name',
      'description',
      'favicon',
      'redirects',
      'search',
      'banner',
      'variables',
      'feedback',
      'contextual',
      'errors',
      'interaction',
      'markdown',
      'thumbnails',
    ]),
    theme: upgradeTheme(root),
    logo: old('logo'),
    colors: old('colors') && fields(root, { ...kept(old('colors'), ['primary', 'light', 'dark']) }),
    background: fields(root, {
      color: old('colors.background'),
      image: old('backgroundImage'),
      ...kept(old('background'), ['decoration']),
      ...(old('background.style') ? { decoration: old('background.style') } : {}),
    }),
    fonts: upgradeFonts(old('font') ?? old('fonts')),
    appearance: upgradeAppearance(old('modeToggle')),
    styling: fields(root, {
      eyebrows: old('eyebrow.display') ?? old('styling.eyebrows'),
      codeblocks:
        old('codeBlock.mode') && text(root, old('codeBlock.mode')?.value === 'dark' ? 'dark' : 'system'),
    }),
    icons: old('icons'),
    navbar: upgradeNavbar(root),
    footer: upgradeFooter(root),
    navigation: upgradeNavigation(root),
    api: upgradeApi(root),
    seo: fields(root, {
      ...kept(old('seo'), ['paths', 'organization', 'trailingSlash']),
      metatags: old('metadata') ?? old('seo.metatags'),
      indexing: old('seo.indexHiddenPages')?.value === true ? text(root, 'all') : undefined,
    }),
    integrations: old('analytics') ?? old('integrations'),
  })
}

/** Moves meta tags from `metadata`, their place in the older format, to `seo.metatags` of a docs.json. */
export function moveMetatags(problems: Problem[], root: JsonNode): JsonNode {
  const metadata = fieldOf(root, 'metadata')
  if (!metadata || !isFields(metadata.value)) return root
  const isTag = ([name]: readonly [string, JsonNode]) =>
    /[:-]/.test(name) || ['robots', 'canonical', 'keywords', 'description', 'author'].includes(name)
  const tags = [...metadata.value].filter(isTag)
  const seo = fieldOf(root, 'seo')
  const written = fieldOf(seo, 'metatags')
  const isReadable = [seo, written].every((node) => node === undefined || isFields(node.value))
  if (tags.length === 0 || !isReadable) return root
  for (const [name, node] of tags) {
    problems.push({
      file: node.source.file,
      line: lineOf(node),
      code: 'config.old_form',
      level: 'hint',
      message: `metadata.${name} is a meta tag; it is read as if it stood in seo.metatags.`,
      remedy: 'Move it to seo.metatags.',
    })
  }
  const others = [...metadata.value].filter((field) => !isTag(field))
  return fields(root, {
    ...Object.fromEntries(isFields(root.value) ? root.value : []),
    metadata: made(metadata, new Map(others)),
    seo: fields(seo ?? metadata, {
      ...Object.fromEntries(seo && isFields(seo.value) ? seo.value : []),
      metatags: made(
        metadata,
        new Map([...tags, ...(written && isFields(written.value) ? written.value : [])]),
      ),
    }),
  })
}

/** Creates a value with the position of `at`. */
function made(at: JsonNode, value: JsonContent): JsonNode {
  return { ...at, value }
}

function text(at: JsonNode, value: string): JsonNode {
  return made(at, value)
}

function fields(at: JsonNode, entries: Record<string, JsonNode | undefined>): JsonNode {
  const map = new Map<string, JsonNode>()
  for (const [key, value] of Object.entries(entries)) {
    if (value && !(isFields(value.value) && value.value.size === 0)) map.set(key, value)
  }
  return made(at, map)
}

function kept(node: JsonNode | undefined, keys: readonly string[]): Record<string, JsonNode | undefined> {
  return Object.fromEntries(keys.map((key) => [key, fieldOf(node, key)]))
}

function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node && isList(node.value) ? node.value : []
}

function textOf(node: JsonNode | undefined): string {
  return typeof node?.value === 'string' ? node.value : ''
}

function upgradeFonts(font: JsonNode | undefined): JsonNode | undefined {
  if (!font || !isFields(font.value)) return undefined
  const own = kept(font, ['family', 'weight', 'source', 'url', 'format'])
  return fields(font, {
    ...own,
    source: own.source ?? own.url,
    url: undefined,
    heading: fieldOf(font, 'headings') ?? fieldOf(font, 'heading'),
    body: fieldOf(font, 'body'),
  })
}

function upgradeAppearance(toggle: JsonNode | undefined): JsonNode | undefined {
  return (
    toggle && fields(toggle, { default: fieldOf(toggle, 'default'), strict: fieldOf(toggle, 'isHidden') })
  )
}

function upgradeNavbar(root: JsonNode): JsonNode | undefined {
  const own = fieldOf(root, 'navbar')
  if (own) return own
  const link = (node: JsonNode, standard: string) => {
    const type = textOf(fieldOf(node, 'type'))
    return fields(node, {
      label: fieldOf(node, 'name') ?? fieldOf(node, 'label'),
      href: fieldOf(node, 'url') ?? fieldOf(node, 'href'),
      type: type === 'github' ? text(node, 'github') : text(node, standard),
    })
  }
  const links = fieldOf(root, 'topbarLinks')
  const button = fieldOf(root, 'topbarCtaButton')
  return fields(root, {
    links:
      links &&
      made(
        links,
        items(links).map((node) => link(node, 'link')),
      ),
    primary: button && link(button, 'button'),
  })
}

/** Themes that docs.json no longer supports are replaced by the default one. */
function upgradeTheme(root: JsonNode): JsonNode {
  const theme = fieldOf(root, 'theme')
  return theme && !['venus', 'prism', 'quill'].includes(textOf(theme)) ? theme : text(root, 'mint')
}

/** Columns were `{ title, links: [{ label, url }] }`. */
function upgradeFooter(root: JsonNode): JsonNode {
  const footer = fieldOf(root, 'footer')
  const columns = fieldOf(footer, 'links')
  const upgraded = items(columns).map((column) =>
    fields(column, {
      header: fieldOf(column, 'header') ?? fieldOf(column, 'title'),
      items: upgradeList(fieldOf(column, 'items') ?? fieldOf(column, 'links'), (link) =>
        fields(link, {
          label: fieldOf(link, 'label') ?? fieldOf(link, 'name'),
          href: fieldOf(link, 'href') ?? fieldOf(link, 'url'),
        }),
      ),
    }),
  )
  return fields(root, {
    socials: upgradeSocials(fieldOf(root, 'footerSocials') ?? fieldOf(footer, 'socials')),
    links: columns && made(columns, upgraded),
  })
}

function upgradeList(
  list: JsonNode | undefined,
  upgrade: (item: JsonNode) => JsonNode,
): JsonNode | undefined {
  return list && made(list, items(list).map(upgrade))
}

/** Either `{ x: url }` or a list of `{ type, url }`. */
function upgradeSocials(socials: JsonNode | undefined): JsonNode | undefined {
  if (!socials || !isList(socials.value)) return socials
  const named = new Map<string, JsonNode>()
  for (const entry of socials.value) {
    const url = fieldOf(entry, 'url')
    if (url) named.set(textOf(fieldOf(entry, 'type')), url)
  }
  return made(socials, named)
}

function upgradeApi(root: JsonNode): JsonNode | undefined {
  const api = fieldOf(root, 'api')
  const mode = fieldOf(fieldOf(api, 'playground'), 'mode')
  const display =
    mode &&
    text(mode, textOf(mode) === 'show' ? 'interactive' : textOf(mode) === 'hide' ? 'none' : textOf(mode))
  return fields(api ?? root, {
    openapi: fieldOf(root, 'openapi') ?? fieldOf(api, 'openapi'),
    asyncapi: fieldOf(root, 'asyncapi') ?? fieldOf(api, 'asyncapi'),
    playground: upgradePlayground(fieldOf(api, 'playground'), display),
    params: fieldOf(api, 'params') ?? upgradeParams(fieldOf(fieldOf(api, 'paramFields'), 'expanded')),
    examples: fieldOf(api, 'examples') ?? upgradeExamples(fieldOf(fieldOf(api, 'request'), 'example')),
    mdx:
      api &&
      fields(api, { server: fieldOf(api, 'baseUrl') ?? fieldOf(api, 'server'), auth: fieldOf(api, 'auth') }),
  })
}

function upgradePlayground(
  playground: JsonNode | undefined,
  display: JsonNode | undefined,
): JsonNode | undefined {
  if (!playground || !isFields(playground.value)) return undefined
  const disabled = fieldOf(playground, 'disableProxy')
  return fields(playground, {
    ...kept(playground, ['display', 'proxy', 'credentials']),
    ...(display ? { display } : {}),
    ...(disabled?.value === true ? { proxy: made(disabled, false) } : {}),
  })
}

function upgradeParams(expanded: JsonNode | undefined): JsonNode | undefined {
  if (!expanded) return undefined
  const isOpen = expanded.value === true || expanded.value === 'all'
  return fields(expanded, { expanded: text(expanded, isOpen ? 'all' : 'closed') })
}

function upgradeExamples(example: JsonNode | undefined): JsonNode | undefined {
  if (!example || !isFields(example.value)) return undefined
  const optional = fieldOf(example, 'showOptionalParams')
  return fields(example, {
    languages: fieldOf(example, 'languages'),
    defaults: optional && text(optional, optional.value === false ? 'required' : 'all'),
  })
}

/**
 * The old navigation is a single list of groups; tabs and anchors claim the groups whose pages are below their `url`,
 * versions those with their name.
 */
function upgradeNavigation(root: JsonNode): JsonNode | undefined {
  const navigation = fieldOf(root, 'navigation')
  if (!navigation || !isList(navigation.value)) return navigation
  const versions = items(fieldOf(root, 'versions'))
  const whole = (groups: readonly JsonNode[]) => upgradeGroups(root, navigation, groups)
  if (versions.length === 0) return whole(navigation.value)
  const entries = versions.map((version) => {
    const name = isFields(version.value) ? fieldOf(version, 'name') : version
    const groups = (navigation.value as readonly JsonNode[]).filter((group) => {
      const own = textOf(fieldOf(group, 'version'))
      return own === '' || own === textOf(name)
    })
    const content = whole(groups).value as JsonFields
    const locale = isFields(version.value) ? fieldOf(version, 'locale') : undefined
    const own = kept(version, ['default', 'hidden'])
    const about = Object.entries(own).flatMap(([key, value]) => (value ? [[key, value] as const] : []))
    const named = [locale ? 'language' : 'version', locale ?? name ?? version] as const
    return made(version, new Map([named, ...about, ...content]))
  })
  const isLocal = versions.some((version) => fieldOf(version, 'locale') !== undefined)
  return fields(navigation, { [isLocal ? 'languages' : 'versions']: made(navigation, entries) })
}

function upgradeGroups(root: JsonNode, navigation: JsonNode, groups: readonly JsonNode[]): JsonNode {
  const tabs = items(fieldOf(root, 'tabs'))
  const anchors = items(fieldOf(root, 'anchors'))
  const claims = [...tabs, ...anchors].filter((entry) => !isAddress(prefixOf(entry)))
  const owner = new Map(
    groups.map((group) => [group, claims.find((entry) => isClaimed(group, prefixOf(entry)))]),
  )
  const ownedBy = (entry: JsonNode | undefined) => groups.filter((group) => owner.get(group) === entry)
  const rest = ownedBy(undefined)

  const section = (kind: 'tab' | 'anchor', entry: JsonNode) => {
    const owned = ownedBy(entry)
    return fields(entry, {
      [kind]: fieldOf(entry, 'name'),
      icon: fieldOf(entry, 'icon'),
      iconType: fieldOf(entry, 'iconType'),
      hidden: fieldOf(entry, 'isDefaultHidden'),
      ...(owned.length > 0
        ? { openapi: fieldOf(entry, 'openapi'), groups: made(entry, owned) }
        : { href: linkOf(entry), openapi: fieldOf(entry, 'openapi') }),
    })
  }
  const hasChildren = (entry: JsonNode) =>
    ownedBy(entry).length > 0 || fieldOf(entry, 'openapi') !== undefined
  const outer = anchors.filter((anchor) => !hasChildren(anchor)).map((anchor) => section('anchor', anchor))
  const inner = anchors.filter(hasChildren).map((anchor) => section('anchor', anchor))
  const global = outer.length > 0 ? fields(navigation, { anchors: made(navigation, outer) }) : undefined
  if (tabs.length === 0 && inner.length === 0) {
    return fields(navigation, { groups: made(navigation, rest), global })
  }
  const firstName = fieldOf(fieldOf(root, tabs.length > 0 ? 'primaryTab' : 'topAnchor'), 'name')
  const kind = tabs.length > 0 ? 'tab' : 'anchor'
  const first = fields(navigation, {
    [kind]: firstName ?? text(navigation, 'Documentation'),
    groups: made(navigation, rest),
  })
  const sections = kind === 'tab' ? [...tabs.map((tab) => section('tab', tab)), ...inner.map(asTab)] : inner
  const all = rest.length > 0 ? [first, ...sections] : sections
  return fields(navigation, { [`${kind}s`]: made(navigation, all), global })
}

/** Next to tabs, an anchor with groups becomes a tab, because an entry can only have children of one kind. */
function asTab(anchor: JsonNode): JsonNode {
  const { value } = anchor
  if (!isFields(value)) return anchor
  return made(anchor, new Map([...value].map(([key, field]) => [key === 'anchor' ? 'tab' : key, field])))
}

function prefixOf(entry: JsonNode): string {
  return textOf(fieldOf(entry, 'url'))
}

function isAddress(url: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)
}

/** A local prefix that claims no groups is a link relative to the root. */
function linkOf(entry: JsonNode): JsonNode | undefined {
  const url = fieldOf(entry, 'url')
  if (!url || isAddress(textOf(url)) || textOf(url).startsWith('/')) return url
  return text(url, `/${textOf(url)}`)
}

function isClaimed(group: JsonNode, prefix: string): boolean {
  const folder = prefix.replace(/^\/+|(?<!\/)\/+$/g, '')
  const first = firstPage(group)
  return folder !== '' && first !== null && (first === folder || first.startsWith(`${folder}/`))
}

function firstPage(group: JsonNode): string | null {
  for (const page of items(fieldOf(group, 'pages'))) {
    if (typeof page.value === 'string') return page.value.replace(/^\/+/, '')
    const nested = firstPage(page)
    if (nested !== null) return nested
  }
  return null
}
